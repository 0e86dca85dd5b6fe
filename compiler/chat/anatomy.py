"""Where the parts of a turn lie: in goes a renderer, out come anchor, openers, closers and ends, by sentinels.

Sentinels are rendered and looked for; what stands around them is what the template adds. Invariant: the source of the
template is asked one thing only, whether it holds the closer of a marker that prompts leave open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, product
from typing import NamedTuple

from .convention import Convention
from .messages import CONTEXTS, TOOLS, Message, assistant, call
from .render import Renderer, TemplateFailed
from .switches import Thinking, positions
from .units import MARKER, common_end, common_start, counterpart, first_marker, last_marker, pieces, units

SAID, THOUGHT, LAST = "zqSaid", "zqThought", "zqLast"
PROBE = call("zqname", {"zqkey": "zqvalue"})


@dataclass(frozen=True)
class Anatomy:
    """Texts of a turn, without outer blanks; the anchors are as they stand in prompts. "" is what is not there."""

    anchors: tuple[str, ...]
    content_open: str
    reasoning_open: str
    reasoning_close: str
    ends: tuple[str, ...]
    notes: tuple[str, ...] = ()


class Added(NamedTuple):
    """At one generation point: what stands behind the last message, the generation prompt, and the header that a
    message brings besides."""

    behind: str
    prompt: str
    header: str


class Turns:
    """Renderings of turns behind one user's message, or behind the conversations of messages.py."""

    def __init__(self, renderer: Renderer, convention: Convention) -> None:
        self.renderer, self.convention = renderer, convention

    def text(self, *messages: Message, tools: bool = False) -> str:
        """Raises TemplateFailed."""
        return self.renderer.render(self.convention.shape(messages), TOOLS if tools else None)

    def turn(self, message: Message) -> str:
        """What a message adds behind a user's message: header, body, end. Raises TemplateFailed."""
        tools = "tool_calls" in message
        user = {"role": "user", "content": LAST}
        return self.text(user, message, tools=tools).rpartition(LAST)[2]

    def past(self) -> tuple[str, str]:
        """What stands before and behind the content of a past turn."""
        user, next_user = {"role": "user", "content": LAST}, {"role": "user", "content": "zqNext"}
        text = self.text(user, assistant(SAID), next_user)
        before, _, behind = text.partition(SAID)
        return before.rpartition(LAST)[2], behind.partition("zqNext")[0]

    def header_of_result(self) -> str:
        """The marker that a tool's result begins with, "" when there is none."""
        if not self.convention.calls:
            return ""
        asked = [{"role": "user", "content": LAST}, assistant("", "", PROBE)]
        shared = self.text(*asked, tools=True)
        try:
            text = self.text(*asked, {"role": "tool", "name": "zqname", "content": "zqResult"}, tools=True)
        except TemplateFailed:
            return ""
        return first_marker(text[len(common_start(shared, text)) :])

    def added(self) -> list[Added]:
        """What is added at the generation point, for each context and position of the switch that renders."""
        found = []
        for context, thinking in product(CONTEXTS, positions(self.renderer)):
            if context.tools and not self.convention.calls:
                continue
            *before, last = context.messages
            ends_with_text = {**last, "content": LAST} if isinstance(last["content"], str) else last
            sentinel = LAST if isinstance(last["content"], str) else ""
            try:
                found.append(self._added([*before, ends_with_text], sentinel, thinking, context.tools))
            except TemplateFailed:
                continue
        return found

    def _added(self, messages: list[Message], sentinel: str, thinking: Thinking, tools: bool) -> Added:
        shaped, given = self.convention.shape(messages), TOOLS if tools else None
        prompt = self.renderer.prompt(shaped, given, **thinking.variables)
        shared = common_start(self.renderer.render(shaped, given, **thinking.variables), prompt)
        behind = shared.rpartition(sentinel)[2] if sentinel and sentinel in shared else ""
        said = self.convention.shape([*messages, assistant(SAID)])
        head = self.renderer.render(said, given, **thinking.variables).partition(SAID)[0]
        return Added(behind, prompt[len(shared) :], head.removeprefix(prompt) if head.startswith(prompt) else "")


def examine(turns: Turns) -> Anatomy:
    """The anatomy of a template's turns. Raises TemplateFailed when a plain message cannot be rendered."""
    notes: list[str] = []
    added = turns.added()
    before, behind = turns.past()
    anchors = _anchors(added, before)
    opener, closer, mid = _reasoning(turns, anchors, added, notes)
    sign = counterpart(first_marker(closer))
    cut = [anchor.partition(opener if opener and opener in anchor else sign or "\0")[0] for anchor in anchors]
    anchors = [anchor for anchor in dict.fromkeys(cut) if anchor.strip()]
    if not anchors:
        anchors = [before.strip() or "\n"]
        notes.append("no text is common to all generation prompts: check the anchor")
    if opener and not mid:
        notes.append("reasoning is not printed; its markers were found in the prompt and in the template's source")
    elif opener:
        opener = behind_anchor(mid, anchors).strip() or sign
        if sign and sign in opener:
            opener = opener[opener.index(sign) :]
    turn = turns.turn(assistant(SAID))
    head, _, tail = turn.partition(SAID)
    content = without_empty_block(behind_anchor(head, anchors), opener, closer).strip()
    closer = _first_part(closer, content, anchors)
    ends = [*pieces(tail), first_marker(behind)] if tail.strip() else [first_marker(behind)]
    if not tail.strip():
        ends.append(turns.header_of_result())
    again = [anchor.strip() for anchor in anchors for _, prompt, header in added if not prompt and anchor in header]
    ends = [end for end in dict.fromkeys([tail.strip(), *ends, *again]) if end]
    if not ends:
        notes.append("nothing ends a turn: what follows the message will be read as content")
    return Anatomy(tuple(anchors), content, opener, closer, tuple(ends), tuple(notes))


def behind_anchor(turn: str, anchors: Iterable[str]) -> str:
    """A turn behind its header, the first anchor in it; all of it when there is none."""
    known = (form for anchor in anchors for form in (anchor, anchor.rstrip()))
    header = next((form for form in known if form in turn), "")
    return turn[turn.index(header) + len(header) :]


def without_empty_block(text: str, opener: str, closer: str) -> str:
    """A text behind the block for reasoning that it begins with, when there is one with nothing in it."""
    if opener and closer:
        found = re.match(rf"\s*{re.escape(opener)}\s*{re.escape(closer)}", text)
        if found:
            return text[found.end() :]
    return text


def _anchors(added: list[Added], before: str) -> list[str]:
    """What all generation prompts begin with; for contexts without one, the last marker of the prompt."""
    shared = ""
    apart: list[str] = []
    for behind, prompt, _ in added:
        if not prompt.strip():
            apart.append(last_marker(behind))
        elif not shared:
            shared = prompt
        else:
            common = common_start(shared, prompt)
            if common.strip():
                shared = common
            else:
                apart.append(prompt)
    starts = accumulate(units(shared))
    kept = max((start for start in starts if start in before), key=len, default=shared)
    if kept and not MARKER.search(kept):
        lead = reduce(common_end, [behind for behind, prompt, _ in added if prompt.startswith(kept) and behind] or [""])
        marker = last_marker(lead)
        kept = lead[lead.rindex(marker) :] + kept if marker else kept
    return [anchor for anchor in dict.fromkeys([kept, *apart]) if anchor.strip()]


def _reasoning(turns: Turns, anchors: list[str], added: list[Added], notes: list[str]) -> tuple[str, str, str]:
    """Opener, closer with what stands between it and the content, and the text before the reasoning; "" for none."""
    for message, next_text in ((assistant(SAID, THOUGHT), SAID), (assistant("", THOUGHT, PROBE), "zqname")):
        if "tool_calls" in message and not turns.convention.calls:
            continue
        try:
            turn = turns.turn(message)
        except TemplateFailed:
            continue
        head, found, rest = turn.partition(THOUGHT)
        if found:
            between = rest.partition(next_text)[0]
            closer = between if next_text == SAID else first_marker(between)
            return behind_anchor(head, anchors).strip() or last_marker(head), closer.strip(), head
    source = turns.renderer.checkpoint.choose(tools=False).text
    for _, prompt, _ in added:
        for marker in MARKER.findall(prompt):
            closer = "</" + marker[1:]
            if closer in source:
                return marker, closer, ""
    return "", "", ""


def _first_part(closer: str, content: str, anchors: list[str]) -> str:
    """The closer without the header and opener of the content that follows it."""
    if content and closer.endswith(content):
        closer = closer[: -len(content)].rstrip()
    for anchor in anchors:
        if closer.endswith(anchor.strip()):
            closer = closer[: -len(anchor.strip())].rstrip()
    return closer
