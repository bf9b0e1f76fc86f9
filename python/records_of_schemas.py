"""From the JSON Schemas of the records to frozen classes; a part of generate.py."""

from __future__ import annotations

import json
import keyword
import textwrap
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any


def _native() -> Any:
    """Load the Rust part alone: the rest of the package needs what is to be written."""
    package = find_spec("warpspan")
    assert package is not None and package.submodule_search_locations, "the package is not installed"
    [path] = [path for folder in package.submodule_search_locations for path in Path(folder).glob("_native*.so")]
    loader = ExtensionFileLoader("_native", str(path))
    spec = ModuleSpec("_native", loader, origin=str(path))
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


native = _native()


def argument(flag: str) -> str:
    """Return the argument that stands for a flag; the files of a command are one file here. `_wording` has it too."""
    name = {"files": "file"}.get(flag, flag).replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


#: The records that functions return, and the rows of sweeps, by the names of their schemas.
RECORDS = (
    "solve", "bound", "simulate", "extract", "rta", "rta-graphs", "rta-model", "rta-processes", "time", "partition",
    "budget", "co-located", "prem", "prem-offsets", "prem-plan", "compare", "sweep-row",
    "gpus", "check", "verify", "explain",
)  # fmt: skip
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def records() -> str:
    """Return the text of the module of records."""
    schemas = {name: schema(name) for name in RECORDS}
    definitions: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for record, whole in schemas.items():
        for name, definition in whole.get("$defs", {}).items():
            definitions.setdefault(name, []).append((record, definition))
    # What has one name and differs from record to record is named after its record too.
    names: dict[tuple[str, str], str] = {}
    for name, found in definitions.items():
        is_same = all(definition == found[0][1] for _, definition in found)
        for record, _ in found:
            names[record, name] = name if is_same and camel(name) not in map(camel, RECORDS) else camel(record) + name
    out = [
        '"""The records as frozen objects, with the fields and the descriptions of their JSON Schemas."""\n',
        "from __future__ import annotations\n",
        "from dataclasses import dataclass",
        "from typing import Any, ClassVar, Literal, Optional\n",
        "from warpspan._result import Answer, Part",
    ]
    written: set[str] = set()
    for record, whole in schemas.items():
        for name, definition in whole.get("$defs", {}).items():
            if names[record, name] not in written:
                written.add(names[record, name])
                out.append(one(names[record, name], definition, record, names))
    for record, whole in schemas.items():
        out.append(one(camel(record), whole, record, names, "Answer"))
    return "\n".join(out)


def schema(name: str) -> dict[str, Any]:
    """Return the schema of a record."""
    text, _, code, _ = native.run(["schema", name])
    assert code == 0, name
    found: dict[str, Any] = json.loads(text)
    return found


def camel(name: str) -> str:
    """Return a name such as `sweep-row` as a class has it."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("-"))


def one(
    name: str, definition: dict[str, Any], record: str, names: dict[tuple[str, str], str], base: str = "Part"
) -> str:
    """Return the text of a class, or of a type of words."""
    if "oneOf" in definition or "const" in definition:
        words = ", ".join(f'"{word["const"]}"' for word in definition.get("oneOf", [definition]))
        return f"\n#: {about(definition)}\n{name} = Literal[{words}]\n"
    text = about(definition) or definition.get("title", "")
    text = text[:1].upper() + text[1:]
    made = "frozen=True" if base == "Part" else "frozen=True, repr=False"
    lines = ["\n", f"@dataclass({made})", f"class {name}({base}):"]
    lines += wrapped(text if text.endswith(".") else text + ".")
    fields = dict(definition["properties"])
    named = fields.pop("schema", None)
    if named:
        lines += ["", f'    SCHEMA: ClassVar[str] = "{named["const"]}"']
    required = set(definition.get("required", ()))
    for field in sorted(fields, key=lambda field: field not in required):
        kind = type_of(fields[field], record, names)
        if field not in required:
            kind = kind if kind.startswith("Optional[") else f"Optional[{kind}]"
            kind += " = None"
        assert not keyword.iskeyword(field), field
        lines += ["", f"    {field}: {kind}", *wrapped(about(fields[field]))]
    return "\n".join(lines) + "\n"


def about(definition: dict[str, Any]) -> str:
    """Return a description on one line."""
    return " ".join(definition.get("description", "").split()).replace("\\", "\\\\")


def wrapped(text: str) -> list[str]:
    """Return the lines of a docstring."""
    if not text:
        return []
    lines = textwrap.wrap(text, 103)
    if len(lines) == 1:
        return [f'    """{lines[0]}"""']
    return [f'    """{lines[0]}', *(f"    {line}" for line in lines[1:]), '    """']


def type_of(schema: dict[str, Any], record: str, names: dict[tuple[str, str], str]) -> str:
    """Return the type of a field."""
    if "$ref" in schema:
        return names[record, schema["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in schema:
        some, none = schema["anyOf"]
        assert none == {"type": "null"}, schema
        return f"Optional[{type_of(some, record, names)}]"
    kinds = schema.get("type", [])
    if isinstance(kinds, list) and kinds:
        [kind] = [kind for kind in kinds if kind != "null"]
        return f"Optional[{type_of({**schema, 'type': kind}, record, names)}]"
    if kinds == "array" and "prefixItems" in schema:
        return f"tuple[{', '.join(type_of(each, record, names) for each in schema['prefixItems'])}]"
    if kinds == "array":
        inner = type_of(schema["items"], record, names)
        fixed = schema.get("maxItems")
        return f"tuple[{', '.join([inner] * fixed)}]" if fixed else f"tuple[{inner}, ...]"
    if kinds == "object":
        return f"dict[str, {type_of(schema['additionalProperties'], record, names)}]"
    return PLAIN.get(kinds, "Any") if isinstance(kinds, str) else "Any"
