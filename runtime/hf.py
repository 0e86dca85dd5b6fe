"""The tokenizer door: a tokenizer and what its model wrote go in, as text or ids, one or a batch; messages come out.

Invariant: called as the methods of transformers' tokenizers are, these functions accept what those accept, return what
those return and refuse with the same kinds of exceptions. A processor stands for its tokenizer.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from .errors import AnchorNotFound, ParseError
from .hf_modules import module_for, template_for
from .stream import Stream

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Unpack

    from .adapters.renamed import Renamed
    from .options import Options

__all__ = ["attach", "detach", "get_response_parser", "parse_response", "template_for"]
Owner = TypeVar("Owner")


def parse_response(
    tokenizer: Any,
    response: Any,
    schema: Any = None,
    *,
    prefix: Any = None,
    tools: Any = None,
    on_error: Literal["raise", "keep", "return"] = "raise",
    rename: Mapping[str, str] | None = None,
    **options: Any,
) -> Any:
    """The message of one response (text, or ids in a list or 1-D array), or a list of messages for a list of either.

    schema: a response template, by default the tokenizer's own. prefix: the prompt, in the same forms; one for all
    responses or one for each, "" or [] for none. on_error: "raise" ends a batch at its first bad item; "keep" leaves
    bad regions out of their message; "return" puts an item's ParseError or AnchorNotFound where its message would be.
    rename: other names for fields of the message.
    options: those of a parse, `runtime.Options`. Arrays are what has `tolist()`: of numpy, torch and others.

    Raises AttributeError without a template; ValueError without a prefix or with a wrong number of them, for what is no
    template (CompileError) and for a bad response (ParseError); ImportError for a template that needs the compiler.
    """
    tokenizer = _tokenizer_of(tokenizer)
    template = _template_of(tokenizer, schema)
    if prefix is None:
        raise ValueError(
            "`parse_response` requires `prefix=`, the prompt that the response continues: it may have begun the "
            'message, with a `<think>` for example. Pass "" when there is none.'
        )
    responses, is_batch = _texts(tokenizer, response)
    prefixes, one_each = _texts(tokenizer, prefix)
    if not one_each or not prefixes:
        prefixes = (prefixes or [""]) * len(responses)
    elif len(prefixes) != len(responses):
        raise ValueError(
            f"{len(responses)} response(s) with {len(prefixes)} prefix(es): `prefix` is a single sequence for all "
            "responses, or one for each"
        )
    module = module_for(template)
    options["on_error"] = "raise" if on_error == "return" else on_error

    def parsed(text: str, before: str) -> Any:
        try:
            message = module.parse(text, prefix=before, tools=tools, **options)
            return {rename.get(key, key): value for key, value in message.items()} if rename else message
        except (ParseError, AnchorNotFound) as error:
            if on_error != "return":
                raise
            return error

    outcomes = [parsed(text, before) for text, before in zip(responses, prefixes, strict=True)]
    return outcomes if is_batch else outcomes[0]


def get_response_parser(
    tokenizer: Any,
    response_template: Any = None,
    *,
    prefix: Any = None,
    tools: Any = None,
    rename: Mapping[str, str] | None = None,
    **options: Unpack[Options],
) -> Stream | Renamed:
    """A parser to feed a response to, piece by piece.

    prefix: the prompt as text or ids, "" or [] for none. rename: other names for fields of events and messages. Errors
    are those of parse_response.
    """
    tokenizer = _tokenizer_of(tokenizer)
    template = _template_of(tokenizer, response_template)
    if prefix is not None:
        prefixes, is_batch = _texts(tokenizer, prefix)
        if is_batch and prefixes:
            raise ValueError("`prefix=` must be a single sequence here: text, or ids in a list or 1-D array")
        prefix = "".join(prefixes)
    parser: Stream = module_for(template).Parser(prefix=prefix, tools=tools, **options)
    if not rename:
        return parser
    from .adapters.renamed import Renamed

    return Renamed(parser, rename)


def attach(owner: Owner, *, rename: Mapping[str, str] | None = None, **options: Unpack[Options]) -> Owner:
    """Let a tokenizer's own `parse_response` and `get_response_parser` be the functions above, and return the owner.

    For a processor this is its tokenizer, which it asks. rename, options: what these methods do by default;
    attaching again replaces them. A copy of an attached tokenizer is attached; one that is saved and loaded is not.
    """
    tokenizer: Any = _tokenizer_of(owner)
    given: dict[str, Any] = {**options, **({"rename": rename} if rename else {})}
    tokenizer.parse_response = partial(parse_response, tokenizer, **given)
    tokenizer.get_response_parser = partial(get_response_parser, tokenizer, **given)
    return owner


def detach(owner: Owner) -> Owner:
    """Give a tokenizer its class's own methods back, and return the owner; one that is not attached stays as it is."""
    own = vars(_tokenizer_of(owner))
    for name in ("parse_response", "get_response_parser"):
        if isinstance(own.get(name), partial):
            del own[name]
    return owner


def _tokenizer_of(owner: Any) -> Any:
    """A tokenizer itself, or that of a processor."""
    if hasattr(owner, "response_template"):
        return owner
    tokenizer = getattr(owner, "tokenizer", owner)
    if tokenizer is owner and any(base.__name__ == "ProcessorMixin" for base in type(owner).__mro__):
        raise ValueError("`parse_response` needs a tokenizer, and this processor has none")
    return tokenizer


def _template_of(tokenizer: Any, given: Any) -> Any:
    template = getattr(tokenizer, "response_template", None) if given is None else given
    if template is None:
        raise AttributeError("this tokenizer has no `response_template`, and none was given: a response needs one")
    return template


def _texts(tokenizer: Any, given: Any) -> tuple[list[str], bool]:
    """The texts of one sequence or many, and whether they were many. An empty list is no sequence at all."""
    if isinstance(given, str):
        return [given], False
    if isinstance(given, (list, tuple)) and (not given or isinstance(given[0], str)):
        return list(given), True
    decoded = tokenizer.decode(_plain(given))
    return ([decoded], False) if isinstance(decoded, str) else (decoded, True)


def _plain(ids: Any) -> Any:
    """Ids with the arrays among them as lists."""
    if hasattr(ids, "tolist"):
        return ids.tolist()
    if not isinstance(ids, (list, tuple)) or all(type(one) is int for one in ids):
        return ids
    return [_plain(one) for one in ids]
