"""vLLM's own abstract classes, out of its wheel's Python files, where neither torch nor a GPU is: in goes the folder of
the files, out come importable modules.

Invariant: what REAL names is vLLM's file as it is; any other module of vLLM's, and what it depends on and is not
installed, is a stub whose every name is an empty class.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

REAL = (
    "vllm.entrypoints.generate.base.protocol",
    "vllm.entrypoints.serve.engine.protocol",
    "vllm.parser.abstract_parser",
    "vllm.parser.parser_manager",
    "vllm.parser.response_template",
    "vllm.reasoning.abs_reasoning_parsers",
    "vllm.tool_parsers.abstract_tool_parser",
    "vllm.tool_parsers.tool_strict_level",
    "vllm.utils.collection_utils",
    "vllm.utils.import_utils",
)
FRONTS = {  # what vLLM's packages offer from files that are real
    "vllm.reasoning": {"vllm.reasoning.abs_reasoning_parsers": ("ReasoningParser", "ReasoningParserManager")},
    "vllm.tool_parsers": {"vllm.tool_parsers.abstract_tool_parser": ("ToolParser", "ToolParserManager")},
}
FOREIGN = ("torch", "partial_json_parser", "xgrammar", "fastapi", "transformers_modules")


class Named:
    """A class of a stub: it keeps what it is given, and pydantic takes anything for it."""

    def __init__(self, *_: Any, **given: Any) -> None:
        vars(self).update(given)

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.any_schema()


class Stub(ModuleType):
    __path__ = ()

    def __getattr__(self, name: str) -> Any:
        for home, names in FRONTS.get(self.__name__, {}).items():
            if name in names:
                return getattr(importlib.import_module(home), name)
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "init_logger":
            return logging.getLogger
        if name.isupper():
            return 8 if name.endswith(("S", "N")) else ""
        made = type(name, (Named,), {"__module__": self.__name__})
        setattr(self, name, made)
        return made


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        top = name.partition(".")[0]
        if name in REAL:
            return importlib.util.spec_from_file_location(name, self.folder / f"{name.replace('.', '/')}.py")
        if top == "vllm" or top in FOREIGN:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return Stub(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to run."""


def install(folder: Path) -> None:
    """Let `import vllm...` find the files in the folder, and stubs for the rest."""
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder(folder))
