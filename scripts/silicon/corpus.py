"""The kernels of tests/corpus with their declarations: launches, data of the parameters, bounds of loops."""

import array
import collections
import random
import re
import struct
from pathlib import Path

from . import instrument

# `parameters`: dictionaries of the declarations, with the type from the source under `type`.
Kernel = collections.namedtuple("Kernel", "name file grid block shared parameters loops library any_block packs coalesced notes")

SIZES = {"char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned": 4, "float": 4, "long long": 8,
         "unsigned long long": 8, "double": 8, "float2": 8, "float3": 12, "float4": 16, "int2": 8, "uchar4": 4}
CODES = {"char": "b", "unsigned char": "B", "short": "h", "unsigned short": "H", "int": "i", "unsigned": "I", "float": "f",
         "long long": "q", "unsigned long long": "Q", "double": "d", "float2": "f", "float3": "f", "float4": "f", "int2": "i",
         "uchar4": "B"}


class CorpusError(Exception):
    """A declaration is missing or cannot be used."""


def load(folder):
    """The kernels that may be measured, by name, in the order of the files."""
    try:
        import tomllib
    except ImportError:
        raise CorpusError("reading tests/corpus/*.toml needs Python 3.11: prepare on another machine and use --prepared") from None
    found = {}
    for path in sorted(Path(folder).glob("*.toml")):
        source = path.with_suffix(".cu").read_text()
        signatures = instrument.entries(source)
        for name, table in tomllib.loads(path.read_text()).items():
            if table.get("measure", True):
                found[name] = kernel(path.stem, name, table, signatures)
    return found


def kernel(file, name, table, signatures):
    if name not in signatures:
        raise CorpusError(f"{file}.toml: [{name}]: there is no such entry in {file}.cu")
    declared, real = [p["name"] for p in table["params"]], [parameter for _, parameter in signatures[name]]
    if declared != real:
        raise CorpusError(f"{file}.toml: [{name}]: the parameters are {', '.join(real)}, not {', '.join(declared)}")
    parameters = [dict(p, type=kind) for p, (kind, _) in zip(table["params"], signatures[name])]
    return Kernel(name, file, table["grid"], table["block"], table.get("dynamic_shared", 0), parameters, table.get("loops", {}),
                  table.get("library"), table.get("any_block", False), table.get("packs", False),
                  table.get("coalesced", False), table.get("notes"))


def is_pointer(parameter):
    return "elements" in parameter


def is_input(parameter):
    """True if the kernel cannot write to the array."""
    return parameter["type"].startswith("const ")


def data(parameter, seed):
    """The bytes of an array."""
    kind, count = parameter["type"].replace("const ", "").replace("*", "").strip(), parameter["elements"]
    fill = parameter.get("fill", "random")
    size = parameter.get("bytes") or SIZES[kind]
    if fill in ("zero", "ones"):
        return (b"\0" if fill == "zero" else b"\xff") * (count * size)
    if fill == "boxes":
        # A leaf has its own number in place of the right child.
        return b"".join(struct.pack("<6f2i", 0, 0, 0, 1, 1, 1, left, right if left >= 0 else k)
                        for k in range(count) for left, right in [children(k, count)])
    code = CODES[kind]
    numbers = count * size // struct.calcsize(code)
    if fill == "ramp":
        return array.array(code, (parameter.get("first", 0) + k * parameter["step"] for k in range(numbers))).tobytes()
    if fill == "heap":
        return array.array(code, (c for k in range(numbers // 2) for c in children(k, numbers // 2))).tobytes()
    if fill != "random":
        raise CorpusError(f"{parameter['name']}: there is no fill {fill!r}")
    generator = random.Random(seed)
    if code in "fd":
        least, most = parameter.get("least", 0), parameter.get("most", 1)
        return array.array(code, (least + (most - least) * generator.random() for _ in range(numbers))).tobytes()
    least, most = parameter.get("least", 0), parameter.get("most", 127 if code == "b" else 255)
    span = most - least + 1
    return array.array(code, (least + int(generator.random() * span) for _ in range(numbers))).tobytes()


def children(k, count):
    """The children of node k of a complete binary tree of `count` nodes; -1 where there are none."""
    left = 2 * k + 1
    return (left, left + 1) if left + 1 < count else (-1, -1)


def named_loops(source):
    """The loops with a name: (name, first line, last line)."""
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), source, flags=re.S)
    found = []
    for match in re.finditer(r"// loop: (\S+)", source):
        start = source.rfind("\n", 0, match.start()) + 1
        # The word may stand behind others in its line.
        word = re.compile(r"\b(for|while)\b").search(plain, start, match.start())
        end = _statement(plain, word.start())
        found.append((match[1], source.count("\n", 0, start) + 1, source.count("\n", 0, end) + 1))
    return found


def _statement(text, at):
    """The place behind the statement that begins at `at`."""
    at = re.compile(r"\s*").match(text, at).end()
    if text[at] == "{":
        return _closing(text, at, "{", "}")
    head = re.compile(r"(for|while|if|switch)\s*\(").match(text, at)
    if not head:
        return text.index(";", at) + 1
    end = _statement(text, _closing(text, head.end() - 1, "(", ")"))
    other = re.compile(r"\s*else\b").match(text, end)
    return _statement(text, other.end()) if other and head[1] == "if" else end


def _closing(text, at, opening, closing):
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == opening) - (text[place] == closing)
        if depth == 0:
            return place + 1
    raise CorpusError(f"{opening} has no {closing}")
