"""What is measured is what is said: the same responses each time, the same message from all who parse them, and tables
that stand where they belong. No clock decides anything here: it is one that the test turns.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import contestants, costs, figures, harmony, measure, tables
from benchmarks.charts import chart
from benchmarks.contestants import FLOOR, HARMONY, JSON, OURS, SHIPPED, SPANS, TRANSFORMERS
from benchmarks.figures import A_FEED, GROWTH, SHIPPED_GROWTH, Figures
from benchmarks.targets import TARGETS, Target, verdicts
from benchmarks.workloads import CUTS, WORKLOADS, Workload, tokens, whole

ROOT = Path(__file__).parents[1]
SMALL = 2_500  # characters
EVERY = pytest.mark.parametrize("workload", WORKLOADS.values(), ids=WORKLOADS)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[float], Callable[[], None]]]:
    """clock(seconds) is a run that takes so long."""
    now = [0.0]
    monkeypatch.setattr(measure.time, "process_time", lambda: now[0])

    def taking(seconds: float) -> Callable[[], None]:
        def run() -> None:
            now[0] += seconds

        return run

    yield taking


# -- workloads --------------------------------------------------------------------------------------------------------


@EVERY
def test_responses_are_the_same_each_time(workload: Workload) -> None:
    assert workload.write(SMALL) == workload.write(SMALL)
    assert sum(map(len, workload.write(40_000))) == pytest.approx(40_000, rel=0.2)


@EVERY
def test_pieces_make_the_response(workload: Workload) -> None:
    for response in workload.responses(SMALL):
        assert whole(response) == [response]
        assert all("".join(cut(response)) == response for cut in CUTS.values())


def test_pieces_are_about_as_long_as_tokens() -> None:
    [response] = WORKLOADS["reasoning_100k"].responses()
    assert 3.5 < len(response) / len(tokens(response)) < 4.5


@EVERY
def test_a_response_that_is_twice_as_long_has_the_same_beginning_of_a_message(workload: Workload) -> None:
    short, long = (workload.module.parse(workload.responses(size)[0], prefix="") for size in (SMALL, 2 * SMALL))
    assert list(short) == list(long)


@EVERY
@pytest.mark.parametrize("cut", CUTS)
def test_all_who_are_compared_give_the_same_message(workload: Workload, cut: str) -> None:
    runs = contestants.contestants(workload, cut, SMALL)
    messages = {name: run() for name, run in runs.items() if name not in (FLOOR, HARMONY, JSON)}
    assert {OURS, TRANSFORMERS} <= messages.keys() and (SPANS in messages) == (cut != "whole")
    renamed = [
        {"reasoning_content" if key == "thinking" else key: message[key] for key in message}
        for message in messages[OURS]
    ]
    assert messages.pop(SHIPPED, renamed) == renamed
    assert all(message == messages[OURS] for message in messages.values())
    assert len(messages[OURS]) == len(workload.responses(SMALL))


@EVERY
def test_the_message_holds_what_the_workload_is_about(workload: Workload) -> None:
    [first, *_] = contestants.parsing(workload.module, workload.responses(SMALL), "whole")()
    assert first.keys() & {"thinking", "reasoning_content", "tool_calls", "content"}


def test_json_loads_reads_the_bodies_of_the_calls() -> None:
    for name in ("closers", "harmony", "calls"):
        workload = WORKLOADS[name]
        runs = contestants.contestants(workload, "whole", SMALL)
        calls = [call["function"] for message in runs[OURS]() for call in message["tool_calls"]]
        assert runs[JSON]() == ([call["arguments"] for call in calls] if name == "harmony" else calls)
    assert not {JSON, FLOOR} & contestants.contestants(WORKLOADS["xml"], "whole", SMALL).keys()


def test_the_floor_hands_out_an_event_of_the_shape_of_ours() -> None:
    [floor] = contestants.Floor().feed("x")
    parser = WORKLOADS["literals"].module.Parser(prefix="")
    parser.feed("<think>")
    [event] = parser.feed("x")
    assert floor.keys() == event.keys()


# -- openai-harmony ---------------------------------------------------------------------------------------------------


@pytest.mark.skipif(bool(harmony.missing()), reason="openai-harmony or its vocabulary is not installed")
def test_harmony_reads_the_same() -> None:
    workload = WORKLOADS["harmony"]
    runs = contestants.contestants(workload, "tokens", 8_000)
    assert [harmony.message(parser) for parser in runs[HARMONY]()] == runs[SHIPPED]()


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(harmony.VARIABLE, str(tmp_path))
    monkeypatch.setattr(harmony, "find_spec", lambda name: None)
    assert harmony.missing() == "openai-harmony is not installed"
    monkeypatch.setattr(harmony, "find_spec", lambda name: object())
    assert "make peers" in harmony.missing()
    assert HARMONY not in contestants.contestants(WORKLOADS["harmony"], "tokens", SMALL)


def test_the_vocabulary_is_rebuilt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    packed = tmp_path / "o200k_base.json"
    packed.write_text('{"bpe_ranks": "! 5 IQ== Ig=="}', encoding="utf-8")
    assert harmony.rebuild(packed, tmp_path / "peers").read_text(encoding="ascii") == "IQ== 5\nIg== 6\n"
    monkeypatch.setenv(harmony.VARIABLE, str(tmp_path / "peers"))
    monkeypatch.setattr(harmony, "find_spec", lambda name: object())
    assert harmony.missing() == ""


# -- measuring --------------------------------------------------------------------------------------------------------


def test_ratios_are_medians_of_rounds(clock: Callable[[float], Callable[[], None]]) -> None:
    times = measure.race({"a": clock(0.3), "b": clock(0.1)}, 5)
    assert [len(times.seconds[name]) for name in "ab"] == [5, 5]
    assert times.of("a") == pytest.approx(0.3)
    assert times.ratio("a", "b") == pytest.approx(3)


def test_only_one_round_is_divided_by_itself() -> None:
    times = measure.Times({"a": [1.0, 20.0, 3.0], "b": [1.0, 10.0, 1.0]})
    assert times.ratio("a", "b") == 2


def test_a_slow_run_is_timed_once_and_a_quick_one_is_repeated(clock: Callable[[float], Callable[[], None]]) -> None:
    count = []
    quick = clock(0.001)
    times = measure.race({"slow": clock(7), "quick": lambda: (count.append(1), quick())}, 3)
    assert times.seconds["slow"] == [7]
    assert len(count) == 2 + 3 * 10
    assert times.ratio("slow", "quick") == pytest.approx(7000)


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
def test_growth_is_the_exponent(clock: Callable[[float], Callable[[], None]], exponent: float) -> None:
    runs = {size: clock(1e-4 * size**exponent) for size in (10, 20, 40, 80)}
    assert measure.growth(runs, 3) == pytest.approx(exponent)


def test_the_slope_is_that_of_the_line_that_fits_best() -> None:
    assert measure.slope([0, 1, 2], [1, 3, 5]) == pytest.approx(2)
    assert measure.slope([0, 1, 2], [0, 1, 0]) == pytest.approx(0)


def test_peak_counts_what_was_held_at_once() -> None:
    assert 100_000 < measure.peak(lambda: [len(bytearray(100_000)) for _ in range(5)]) < 200_000


# -- figures ----------------------------------------------------------------------------------------------------------


def test_speed_is_told_by_feed_and_by_ratio() -> None:
    found = figures.speed(WORKLOADS["literals"], "chars", 1)
    expected = {A_FEED, f"{OURS} / {FLOOR}", f"{SPANS} / {FLOOR}", f"{TRANSFORMERS} / {OURS}"}
    assert {what for _, _, what in found} == expected
    assert all(value > 0 for value in found.values())


def test_every_workload_is_grown_but_one() -> None:
    assert [name for name, workload in WORKLOADS.items() if not workload.grown] == ["reasoning_400k"]


def test_growths_take_four_sizes_each_twice_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[list[int]] = []
    monkeypatch.setattr(figures, "growth", lambda runs, rounds: sizes.append(list(runs)) or 1.0)
    monkeypatch.setattr(figures, "parsing", lambda module, responses, cut: None)
    assert figures.growths(WORKLOADS["calls"], ["whole", "chars"], 3) == {
        ("calls", cut, what): 1.0 for cut in ("whole", "chars") for what in (GROWTH, SHIPPED_GROWTH)
    }
    assert sizes == [[50_000, 100_000, 200_000, 400_000]] * 4


def test_the_rest_is_measured() -> None:
    [(key, ratio)] = figures.lax_json(1).items()
    assert key == ("strings", "whole", figures.LAX) and ratio > 1
    [(key, peak)] = figures.memory(WORKLOADS["closers"]).items()
    assert key == ("closers", "tokens", figures.PEAK) and peak > 0
    [(key, ratio)] = costs.imports("smollm3", 1).items()
    assert key == ("smollm3", "import", costs.IMPORT) and ratio > 0.5


def test_every_grammar_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "formatted", str)
    found = costs.compiling()
    assert {key[0] for key in found} == {path.stem for path in ROOT.glob("grammars/*.grammar")}


def test_lengths_are_measured_one_by_one() -> None:
    lines = figures.lengths(WORKLOADS["newlines"], [100, 200], 1)
    assert lines.keys() == {FLOOR, OURS, TRANSFORMERS}
    assert all([x for x, _ in points] == [100, 200] for points in lines.values())


# -- targets ----------------------------------------------------------------------------------------------------------


def test_a_target_holds_misses_within_noise_or_misses() -> None:
    most, least = Target(("a", "", "x"), 2), Target(("a", "", "x"), 2, at_least=True)
    for value, for_most, for_least in [
        (2.0, "holds", "holds"),
        (2.2, "within noise", "holds"),
        (2.4, "MISSED", "holds"),
        (1.8, "holds", "within noise"),
        (1.7, "holds", "MISSED"),
    ]:
        found = {("a", "", "x"): value}
        assert [verdict for _, verdict in verdicts(found, [most, least])] == [for_most, for_least]
    assert [verdict for _, verdict in verdicts({}, [most])] == ["not measured"]


def test_no_margin_is_wider_than_is_said() -> None:
    assert {target.margin for target in TARGETS} == {0.15, 0.05}
    assert all((target.margin == 0.05) == (target.key[2] in (GROWTH, SHIPPED_GROWTH)) for target in TARGETS)


def test_every_target_is_of_something_that_is_measured() -> None:
    for target in TARGETS:
        name, cut, _ = target.key
        assert (name in WORKLOADS and cut in CUTS) or cut == "import"
    assert len({target.key for target in TARGETS}) == len(TARGETS)


# -- tables -----------------------------------------------------------------------------------------------------------

FOUND: Figures = {
    ("closers", "tokens", A_FEED): 0.2049,
    ("closers", "tokens", f"{OURS} / {FLOOR}"): 12.34,
    ("closers", "tokens", f"{TRANSFORMERS} / {OURS}"): 1234.5,
    ("newlines", "tokens", A_FEED): 0.3,
    ("closers", "whole", A_FEED): 9.0,
    ("closers", "whole", GROWTH): 1.0,
    ("smollm3", "compile", costs.COMPILE): 5.0,
    ("smollm3", "compile", costs.BLACK): 30.0,
}


def test_a_column_without_figures_is_left_out() -> None:
    assert tables.streamed(FOUND, "tokens") == (
        "|  | us a feed | ours / floor | transformers / ours |\n"
        "| --- | --: | --: | --: |\n"
        "| SmolLM3, `\\s*` closers, 3.5k | 0.20 | 12.3 | 1,234 |\n"
        "| 20k newlines, `\\s*<tool_call>` opener | 0.30 |  |  |\n"
    )


def test_other_tables() -> None:
    assert tables.whole(FOUND).splitlines()[2:] == ["| SmolLM3, `\\s*` closers, 3.5k | 9.00 |  |  |  |"]
    assert tables.growth(FOUND).splitlines()[2:] == ["| SmolLM3, `\\s*` closers, 3.5k | 1.00 |  |  |  |  |  |"]
    assert tables.compiling(FOUND).splitlines()[2:] == ["| smollm3 | 5.00 | 30.0 |"]
    judged = tables.judged(FOUND, [Target(("closers", "whole", GROWTH), 1.1)])
    assert judged.splitlines()[2:] == ["| growth: closers, whole | 1.00 | <= 1.1 | 5% | holds |"]


def test_a_table_is_put_between_its_markers() -> None:
    document = "a\n<!-- bench one -->\nold\n<!-- end -->\nb\n<!-- bench two -->\n<!-- end -->\n"
    changed = tables.put(document, "one", "| \\1 |\n")
    assert changed == document.replace("old\n", "| \\1 |\n")
    assert tables.put(changed, "one", "| \\1 |\n") == changed
    with pytest.raises(ValueError, match="0 places for three"):
        tables.put(document, "three", "")


def test_the_documents_have_a_place_for_every_table() -> None:
    names = set(dict(command.shown(FOUND | {("closers", "chars", A_FEED): 1.0})))
    placed = {
        path: set(re.findall(r"<!-- bench (\w+) -->", path.read_text("utf-8")))
        for path in (command.README, command.DOCUMENT)
    }
    assert placed[command.README] == {"short"}
    assert placed[command.DOCUMENT] == names - {"short"}


# -- charts -----------------------------------------------------------------------------------------------------------


def test_a_chart_is_a_picture_with_a_line_a_name() -> None:
    picture = chart("a < b", "x", "y", {"one": [(1000, 0.2), (2000, 0.2)], "two & more": [(1000, 5), (2000, 50)]})
    root = ET.fromstring(picture)
    space = "{http://www.w3.org/2000/svg}"
    level, rising = [
        [[float(n) for n in point.split(",")] for point in line.attrib["points"].split()]
        for line in root.iter(f"{space}polyline")
    ]
    assert level[0][1] == level[1][1] and rising[0][1] > rising[1][1]
    texts = [text.text for text in root.iter(f"{space}text")]
    assert {"a < b", "one 0.20", "two & more 50", "1k", "2k", "0.1", "100"} <= set(texts)
    assert picture == chart(
        "a < b", "x", "y", {"one": [(1000, 0.2), (2000, 0.2)], "two & more": [(1000, 5), (2000, 50)]}
    )


def test_a_chart_of_one_point() -> None:
    picture = chart("t", "x", "y", {"one": [(1, 1)]})
    assert "nan" not in picture and ">one 1.0<" in picture


# -- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure is there at once, and is 1."""
    monkeypatch.setattr(figures, "speed", lambda workload, cut, rounds: {(workload.name, cut, A_FEED): 1.0})
    monkeypatch.setattr(
        figures, "growths", lambda workload, cuts, rounds: {(workload.name, c, GROWTH): 1.0 for c in cuts}
    )
    monkeypatch.setattr(figures, "lax_json", lambda rounds: {("strings", "whole", figures.LAX): 1.0})
    monkeypatch.setattr(figures, "memory", lambda workload: {(workload.name, "tokens", figures.PEAK): 1.0})
    monkeypatch.setattr(figures, "lengths", lambda workload, sizes, rounds: {"ours": [(size, 1.0) for size in sizes]})
    monkeypatch.setattr(costs, "imports", lambda module, rounds: {(module, "import", costs.IMPORT): 1.0})
    monkeypatch.setattr(costs, "compiling", lambda: {("smollm3", "compile", costs.COMPILE): 1.0})


@pytest.mark.usefixtures("quick")
def test_some_workloads_are_measured_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--only", "xml", "--cut", "chars", "--no-growth"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[2:] == ["| 20 XML parameters, one of 50k | 1.00 |", ""]


@pytest.mark.usefixtures("quick")
def test_everything_is_written_where_it_belongs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("README", "DOCUMENT"):
        path = tmp_path / getattr(command, name).name
        path.write_bytes(getattr(command, name).read_bytes())
        monkeypatch.setattr(command, name, path)
    monkeypatch.setattr(command, "CHARTS", tmp_path / "charts")
    assert command.main(["--write"]) == 0
    assert "| 20 XML parameters, one of 50k | 1.00 |" in (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| growth: xml, chars | 1.00 | <= 1.1 | 5% | holds |" in (tmp_path / "performance.md").read_text("utf-8")
    assert {path.name for path in (tmp_path / "charts").iterdir()} == {"reasoning.svg", "newlines.svg"}
    with pytest.raises(SystemExit):
        command.main(["--write", "--only", "xml"])


@pytest.mark.usefixtures("quick")
def test_the_check_measures_what_has_a_target_and_fails_when_one_is_missed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--check"]) == 0
    assert "us a response" in capsys.readouterr().out
    monkeypatch.setattr(costs, "imports", lambda module, rounds: {(module, "import", costs.IMPORT): 9.0})
    assert command.main(["--check"]) == 1
    assert "| module / json, re: smollm3, import | 9.00 | <= 1.6 | 15% | MISSED |" in capsys.readouterr().out
