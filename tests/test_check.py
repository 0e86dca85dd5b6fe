"""check.py and warn.py: each rule at its edges, on models that both doors can make. Messages: test_diagnostics.py."""

from __future__ import annotations

import pytest

from compiler.check import check
from compiler.diagnostics import CODES, CompileError
from compiler.hf_json import from_template
from compiler.model import Grammar
from compiler.parse import parse
from compiler.policies import VERSION_1, choice


def grammar(fields: str, *, name: str = "g", head: str = "") -> Grammar:
    return parse(f'grammar {name} {head} anchor "<A>" {fields}')


def refused(found: Grammar) -> tuple[str, str]:
    """The code, and what its place says."""
    with pytest.raises(CompileError) as error:
        check(found)
    span = error.value.span
    return error.value.code, span.source.text[span.start : span.end]


def warned(found: Grammar) -> list[str]:
    return [warning.name for warning in check(found)]


def test_a_grammar_without_faults_gives_no_warning() -> None:
    fields = 'field reasoning_content: text { open "<think>" close "</think>" } field content: text joined "" {}'
    assert check(grammar(fields)) == []


@pytest.mark.parametrize("name", ["a", "qwen3", "match", "a_b", "x" * 64])
def test_names_of_modules_pass(name: str) -> None:
    assert check(grammar("field content: text {}", name=name)) == []


@pytest.mark.parametrize("name", ['""', "A", "_a", "class", "x" * 65, '"3b"', '"a.b"', '"é"', '"a\\n"', "a-b"])
def test_names_that_name_no_module_are_refused(name: str) -> None:
    assert refused(grammar("field content: text {}", name=name)) == ("grammar-name", name)


@pytest.mark.parametrize("name", ['""', '"a\\n"', '"\\u202e"', '"\\ud800"'])
def test_names_of_fields_are_printable(name: str) -> None:
    assert refused(grammar(f"field {name}: text {{}}")) == ("field-name", f"field {name}: text")


@pytest.mark.parametrize("name", ["class", "日本", "two words", "a'b\"", "Field", "__all__"])
def test_fields_have_any_other_name(name: str) -> None:
    check(from_template({"start_anchor": "<A>", "fields": {name: {}}}))


def test_fields_number_64_at_most() -> None:
    fields = [f'field f{number}: text {{ open "{number}" }}' for number in range(65)]
    assert check(grammar(" ".join(fields[:64]))) == []
    assert refused(grammar(" ".join(fields))) == ("too-many-fields", "field f64: text")
    assert refused(grammar("")) == ("no-fields", "g")


def test_a_field_stands_alone() -> None:
    assert refused(grammar('field a: text {} field a: int { open "1" }')) == ("two-fields", "field a: int")
    assert refused(grammar("field a: text {} field b: text {}")) == ("two-implicit", "field b: text")


@pytest.mark.parametrize(
    "fields",
    [
        'field a: text { open "" }',
        'field a: text { open "b" close "c" | "" }',
        'field a: text { close "" blank after }',
    ],
)
def test_literals_are_not_empty(fields: str) -> None:
    assert refused(grammar(fields))[0] == "empty-literal"


@pytest.mark.parametrize(
    "pattern",
    [
        "/a(/",
        r"/a\/[b/",
        r'pattern "\n["',
        "/(?P<a>b)(?P<1>c)/",
        r"/\L<words>/",
        "/(?:a{1000}){1000}/",
        "/" + "(?:" * 3000 + ")" * 3000 + "/",
        "/(?V0)(?V1)a/",
    ],
)
def test_patterns_that_the_engine_refuses_are_refused(pattern: str) -> None:
    for fields in (f"field a: text {{ open {pattern} }}", f"field a: xml-inline(tag = {pattern}) {{}}"):
        assert refused(grammar(fields))[0] == "bad-pattern"


def test_the_place_inside_a_pattern_is_shown() -> None:
    text = "grammar g anchor /a\\/\\/(?<b/ field a: text {}"
    with pytest.raises(CompileError, match="missing > at position 7") as error:
        check(parse(text))
    assert error.value.span.start == text.index("(?<b") + 4
    with pytest.raises(CompileError, match="template: start_anchor_pattern: ") as error:
        check(from_template({"start_anchor_pattern": "(", "fields": {"a": {}}}))
    with pytest.raises(CompileError, match=":18: "):
        check(parse('grammar g anchor pattern "a(" field a: text {}'))


def test_groups_number_64_at_most() -> None:
    assert check(grammar(f"field a: text {{ open /{'(b)' * 64}/ }}")) == []
    assert refused(grammar(f"field a: text {{ open /{'(b)' * 65}/ }}"))[0] == "too-many-groups"


def test_captures_need_emit() -> None:
    assert refused(grammar("field a: text { open /(?P<b>c)/ }")) == ("unused-captures", "/(?P<b>c)/")
    assert refused(grammar("field a: text { close /(?P<b>c)/ }")) == ("unused-captures", "/(?P<b>c)/")
    assert check(grammar("field a: text { open /(c)/ emit content }")) == []


def test_emit_knows_content_and_captures() -> None:
    both = "open /(?P<b>c)/ close /(?P<d>e)/"
    assert (
        check(grammar(f"field a: text {{ {both} emit [b, d.e, content, {{'x': content.y}}] }}".replace("'", '"'))) == []
    )
    assert refused(grammar(f'field a: text {{ {both} emit [b, {{"x": e.d}}] }}')) == ("not-captured", "e.d")
    with pytest.raises(KeyError, match=r"error.not-captured.: `e` is not captured by a"):
        check(grammar(f"field a: text {{ {both} emit e }}"))
    assert check(grammar(f"field a: json {{ {both} emit each [e, name] }}")) == []


def test_each_needs_emit() -> None:
    template = {"start_anchor": "<A>", "fields": {"a": {"transform_each": True}}}
    with pytest.raises(CompileError, match="each-alone"):
        check(from_template(template))


def test_tags_have_keys() -> None:
    nested = "kv-lines(value = xml-inline(tag = /a/))"
    assert refused(grammar(f"field a: {nested} {{}}")) == ("tag-groups", "/a/")
    assert warned(grammar("field a: xml-inline(tag = /(?P<key>a)/) {}")) == ["skipped-bytes"]


@pytest.mark.parametrize(
    "reader",
    [
        'kv-lines(line_sep = "")',
        'kv-lines(kv_sep = "")',
        'kv-lines(value = kv-lines(kv_sep = ""))',
        'json(string_delims = [["a", "b"], ["c", ""]])',
    ],
)
def test_separators_are_not_empty(reader: str) -> None:
    assert refused(grammar(f"field a: {reader} {{}}"))[0] == "empty-separator"


@pytest.mark.parametrize(
    ("reader", "emit", "fits"),
    [
        ("text", "", True),
        ("json", "", True),
        ("int", "", False),
        ("kv-lines", "", False),
        ("text", "emit content", True),
        ("bool", "emit content", False),
        ("json", "emit content.a", True),
        ("kv-lines", "emit content.a", True),
        ("int", "emit b", True),
        ("int", 'emit "c"', True),
        ("text", "emit 1", False),
        ("text", "emit [content]", False),
        ("text", 'emit {"a": content}', False),
        ("json", "emit each name", False),
    ],
)
def test_joined_pieces_are_strings(reader: str, emit: str, fits: bool) -> None:
    opening = "/(?P<b>c)/" if emit else '"c"'
    found = grammar(f'field a: {reader} joined "" {{ open {opening} {emit} }}')
    assert ("joined-value" in warned(found)) is not fits


@pytest.mark.parametrize(
    ("default", "field", "fits"),
    [
        ("[]", "a[]: text", True),
        ("[1]", "a[]: text", True),
        ("null", "a[]: text", False),
        ('""', "a[]: text", False),
        ('""', 'a: text joined ""', True),
        ("null", 'a: text joined ""', True),
        ("[]", 'a: text joined ""', False),
        ("0", "a: text", True),
    ],
)
def test_defaults_can_be_added_to(default: str, field: str, fits: bool) -> None:
    found = grammar(f"field {field} {{}}", head=f"default a = {default}")
    if fits:
        check(found)
    else:
        assert refused(found)[0] == "default-type"


# -- warnings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ('field content: text {} field a: text { open "b" }', ["overwritten"]),
        ('field content: text { close "b" }', ["overwritten"]),
        ("field content: text {}", []),
        ('field content[]: text { close "b" }', []),
        ('field thinking: text { open "b" }', ["reasoning-name"]),
        ('field thinking: text { open "b" } field reasoning_content: text { open "c" }', []),
        ("field a: text required {}", ["blank-required"]),
        ("field a: python-call-list required {}", ["blank-required"]),
        ('field a: text required { emit "" }', ["blank-required"]),
        ("field a: text required { emit content }", ["blank-required"]),
        ("field a: text required { emit [] }", ["blank-required"]),
        ("field a: text required { emit {} }", ["blank-required"]),
        ("field a: text required { emit [content] }", []),
        ('field a: text required { emit {"b": content} }', []),
        ("field a: text required { emit 0 }", []),
        ("field a: int required {}", []),
        ("field a[]: text required {}", []),
        ('field a: text joined "" required {}', ["blank-required"]),
        (r"field a: text { open /(?=[\s\S]*?<b>)/ }", ["holding-opener"]),
        (r"field a: text { open /(?:<a>)?(?=[^<]+<b>)/ }", ["holding-opener"]),
        (r"field a: text { open /<b>(?!.*<b>)/ }", ["holding-opener"]),
        (r"field a: text { open /(?=\s*<b>)|(?=\w+:)|(?=.<b>)/ }", []),
        (r"field a: text { open /(?<=b.*)c/ }", []),
        (r"field a[]: text { close /b|$/ }", ["idle-close"]),
        (r"field a[]: text { close /(?=<b>)/ }", ["idle-close"]),
        (r"field a[]: text { close /b$/ }", []),
        (r"field a: text { open /b/ close /c|$/ }", []),
        (r'field a: json { open /(?P<n>\w+)/ emit {"name": n} }', ["word-name"]),
        (r'field a: json { open "b" close /(?P<n>\w*?)/ emit [{"f": {"name": n}}] }', ["word-name"]),
        (r'field a: json { open /(?P<n>\w+)/ emit {"id": n, "name": "c"} }', []),
        (r'field a: json { open /(?P<n>[\w.-]+)/ emit {"name": n} }', []),
        ("field a: text { open /(?P<content>b)/ emit content }", ["content-group"]),
        ('field a: text { open "b" close /(?P<content>c)/ emit content }', ["content-group"]),
        ("field a: json { open /(?P<content>b)/ emit each name }", []),
        ("field a: json { open /(?P<b>c)/ emit each [b, name] }", ["item-keys"]),
        ("field a: json { open /(?P<b>c)/ emit each name }", []),
        ("field a: xml-inline(tag = /(?P<key>b)/) {}", ["skipped-bytes"]),
        ("field a: kv-lines(value = xml-inline(tag = /(?P<key>b)/)) {}", ["skipped-bytes"]),
        ('field a: text { open "b" | "c" } field d: text { open "c" }', ["equal-openers"]),
        ("field a: text { open /b/ } field d: text { open /b/ } field e: text {}", ["equal-openers", "overwritten"]),
        ('field a: text { open "/b/" } field d: text { open /b/ }', []),
    ],
)
def test_warnings_come_by_name(fields: str, names: list[str]) -> None:
    found = check(grammar(fields))
    assert [warning.name for warning in found] == names
    assert all(CODES[warning.name].warning and warning.way_out for warning in found)


def test_a_default_keeps_an_empty_required_field() -> None:
    assert warned(grammar("field a: text required {}", head='default a = ""')) == []


def test_arguments_that_nothing_reads_are_shown() -> None:
    args = {"line_sep": ";", "tag": 1, "value_parser": {"name": "json", "args": {"x": 0}, "y": 2}}
    field = {"content": "kv-lines", "content_args": args}
    found = check(from_template({"start_anchor": "<A>", "fields": {"a": field}}))
    places = [warning.span.path for warning in found]
    assert places == [f"fields.a.content_args.{path}" for path in ("tag", "value_parser.y", "value_parser.args.x")]
    assert {warning.name for warning in found} == {"overlooked-argument"}


@pytest.mark.parametrize("pattern", [r"a\Kb", "(?R)?a", "(?V1)a", "(?x)a", "a(*SKIP)b", "(a)(?1)"])
def test_delimiters_that_cannot_be_followed_are_refused_by_name(pattern: str) -> None:
    for fields in (f"field a: text {{ open /{pattern}/ }}", f'field a: text {{ open "<a>" close /{pattern}/ }}'):
        assert refused(grammar(fields))[0] == "beyond"
    assert refused(parse(f"grammar g anchor /{pattern}/ field content: text {{}}"))[0] == "beyond"
    assert check(grammar(f'field a: xml-inline(tag = /(?P<key>a){pattern}/) {{ open "<a>" }}')) is not None


def test_a_region_that_never_comes_to_an_end_is_refused() -> None:
    assert refused(grammar(r"field a: text { open /x*/ close /\b|;/ }"))[0] == "endless"
    assert check(grammar(r"field a: text { open /(?=b)/ close /(?=c)|;/ }")) is not None
    assert check(grammar(r"field a: text { open /x+/ close /\b|;/ }")) is not None


@pytest.mark.parametrize(
    ("emit", "at"),
    [
        ("content ?? 1", "content"),
        ('"a" ?? content.a', '"a"'),
        ("content.a ?? 1 ?? 2", "1"),
        ('content.a ?? {"b": content.b}', '{"b": content.b}'),
        ('{"a"?: content}', "content"),
        ('{"a"?: content.a ?? {}}', "{}"),
        ('[{"a"?: {"b": content.b}}]', '{"b": content.b}'),
    ],
)
def test_what_is_always_there_is_no_choice(emit: str, at: str) -> None:
    assert refused(grammar(f'field a: json {{ open "b" emit {emit} }}')) == ("always-there", at)


@pytest.mark.parametrize(
    "emit",
    ["content.a ?? content", 'content.a ?? content.@key ?? {"b": [1]}', '{"a"?: content.a ?? content.b, "c": content}'],
)
def test_names_are_choices(emit: str) -> None:
    assert check(grammar(f'field a[]: json {{ open "b" emit {emit} }}')) == []


def test_under_each_content_is_a_key_like_others() -> None:
    assert check(grammar('field a: json { open "b" emit each content ?? 1 }')) == []


def test_a_choice_may_be_text_or_a_name() -> None:
    assert warned(grammar('field a: text joined "" { open "b" emit content.x ?? "" }')) == []
    assert warned(grammar('field a: text joined "" { open "b" emit content.x ?? 1 }')) == []
    opener = r"open /(?P<n>\w+)/"
    assert warned(grammar(f'field a: json {{ {opener} emit {{"name": content.name ?? n}} }}')) == ["word-name"]


@pytest.mark.parametrize(
    "field",
    [
        'a: json { open "b" extend }',
        'a: json joined "" { open "b" extend }',
        'a[]: text { open "b" extend }',
        'a[]: json { open "b" extend emit each c }',
    ],
)
def test_only_lists_of_items_are_extended(field: str) -> None:
    assert refused(grammar(f"field {field}"))[0] == "extend"


def test_how_arguments_are_typed_is_the_grammar_s() -> None:
    assert check(grammar('field a[]: json { open "b" extend }', head="policy coerce exact")) == []
    assert refused(grammar('field a: json { open "b" policy coerce exact }'))[0] == "misplaced-policy"


# -- policies ---------------------------------------------------------------------------------------------------------


def test_a_field_takes_back_what_the_grammar_says() -> None:
    grammar = parse("""
        grammar g policy blank skip, trim newline, bad drop, cut bad, unknown drop, aware anchor "a"
        field a: json { open "b" close "c" policy no bad, no cut, no unknown, no aware }
        field d: json { open "e" close "f" }
        field g: text joined "" { policy no trim, no blank }
        """)
    assert check(grammar) == []
    back, kept, around = grammar.fields
    for word, said in {"bad": "drop", "cut": "bad", "unknown": "drop", "aware": "yes"}.items():
        assert (choice(grammar, kept, word), choice(grammar, back, word)) == (said, VERSION_1[word])
        assert choice(grammar, around, word) == VERSION_1[word]
    for word in ("blank", "trim"):
        assert choice(grammar, around, word) == VERSION_1[word] == ""


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ('a: text { open "b" policy blank skip }', "misplaced-policy"),
        ('a: json { open "b" policy trim both }', "misplaced-policy"),
        ('a: json { open "b" policy no trim }', "misplaced-policy"),
        ('a: text { open "b" emit content policy trim both }', "misplaced-policy"),
        ('a: text { open "b" policy bad drop }', "misplaced-policy"),
        ('a: json { open "b" policy cut bad }', "misplaced-policy"),
        ('a: int { open "b" close "c" policy cut bad }', "misplaced-policy"),
        ('a: int { open "b" policy unknown drop }', "misplaced-policy"),
        ('a: json(allow_non_json) { open "b" close "c" policy aware }', "misplaced-policy"),
        ('a: json { open "b" policy coerce exact }', "misplaced-policy"),
        ('a: json { open "b" policy bad text }', "no-text-field"),
        ('a: json { open "b" policy bad text } field d: text {}', "no-text-field"),
        ('a: json { open "b" policy unknown text } field d: text joined "" { emit content }', "no-text-field"),
        ('a: json { open "b" policy unknown text } field d: json joined "" {}', "no-text-field"),
        ('a: text { open "b" ended by a }', "ended-by"),
        ('a: text { open "b" ended by d } field d: text {}', "ended-by"),
        ('a: text { open "b" ended by d unless closed } field d: text { open "e" }', "ended-by"),
        ('a: text { ended by d } field d: text { open "e" }', "ended-by"),
        ("a: text { open /b*/ ended by d } field d: text { open /e*/ }", "endless"),
        ('a: text { open /b*/ close "c" ended by d unless closed } field d: text { open /(?=e)/ }', "endless"),
    ],
)
def test_words_that_cannot_mean_anything_are_refused(field: str, code: str) -> None:
    with pytest.raises(CompileError) as refused:
        check(parse(f'grammar g anchor "a" field {field}'))
    assert refused.value.code == code


@pytest.mark.parametrize(
    "field", ['a: json { open "b" emit {"a": content} policy bad drop }', "a: int { policy no bad }"]
)
def test_a_policy_that_fits_is_taken(field: str) -> None:
    check(parse(f'grammar g anchor "a" field {field}'))


@pytest.mark.parametrize("end", ["stop", "stray"])
@pytest.mark.parametrize(
    ("pattern", "code"), [("/a*/", "empty-end"), ("/(?=a)/", "empty-end"), ("/(?P<x>a)/", "unused-captures")]
)
def test_an_end_is_some_text_and_takes_nothing_from_it(end: str, pattern: str, code: str) -> None:
    with pytest.raises(CompileError) as refused:
        check(parse(f'grammar g anchor "a" {end} {pattern} field b: text {{}}'))
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("pair", "code"),
    [
        (r'/<(?P<k>a)>/ "</a>"', "tag-groups"),
        (r'/<(?P<key>a)>/ "{key}>"', "tag-groups"),
        (r'/<(?P<key>a)>/ "</{key}"', "tag-groups"),
        (r'/<(?P<key>a)>/ "</{key}{key}>"', "tag-groups"),
        (r'/<(?P<key>a)>/ "</{key}>" | "</a>"', "tag-groups"),
        (r'/<(?P<key>a)>/ "</{key}>" blank after', "tag-groups"),
        (r'/<(?P<key>a)>/ "</a>", value by b {"c": text}', "tag-groups"),
        (r'/<(?P<key>a)>/ "</a>", value = text, value by key {"c": text}', "two-readers"),
        (r"/<(?P<key>a)>/ /<(?P<b>b)>/", "unused-captures"),
        (r"/<(?P<key>a)>/ /b?/", "empty-separator"),
        (r'/<(?P<key>a)>/ "a" | ""', "empty-separator"),
        (r'/(?P<key>a?)/ "a"', "empty-separator"),
        (r'/(?P<key>a/ "a"', "bad-pattern"),
        (r"/(?P<key>a)/ /(/", "bad-pattern"),
    ],
)
def test_pairs_have_keys_and_ends(pair: str, code: str) -> None:
    assert refused(grammar(f'field a: xml(pair {pair}) {{ open "b" }}'))[0] == code


def test_skipped_bytes_are_told_of_unless_they_are_refused() -> None:
    field = r'field a: xml(pair /<(?P<key>a)>/ "</{key}>") { open "b" }'
    assert warned(grammar(field)) == ["skipped-bytes"]
    assert warned(grammar(field, head="policy exact")) == []
    assert refused(grammar('field a: json { open "b" policy exact }'))[0] == "misplaced-policy"
