"""Reads a disassembly and checks that a measured loop holds what it should, and nothing that was left out or added."""

import collections
import functools
import re

# `        /*0a70*/  @P0 BRA 0x800 ;   /* 0x... */` of cuobjdump, and `/*0a70*/  @P0 BRA `(.L_x_1) ;` of nvdisasm
LINE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:\{\s*)?(@!?U?P\w+\s+)?([A-Z][A-Z0-9_]*(?:\.[A-Za-z0-9_]+)*)\s*([^;]*);?")
LABEL = re.compile(r"^\s*(\.L\w+):")
FUNCTION = re.compile(r"Function\s*:\s*(\S+)|^\s*\.text\.(\S+):")
# What a loop needs of its own: a counter, a comparison, the branch, and padding.
LOOP = re.compile(r"^(IADD3?|VIADD|IADD32I|UIADD3|ISETP.*|UISETP.*|BRA.*|NOP|DEPBAR.*|ICMP.*|PSETP.*|IMAD\.MOV.*|MOV|UMOV|YIELD|WARPSYNC.*)$")

Instruction = collections.namedtuple("Instruction", "address guard opcode operands")


@functools.lru_cache(maxsize=2)
def functions(text):
    """The instructions of each kernel of a disassembly."""
    found, labels, name = {}, {}, None
    waiting = []
    for line in text.splitlines():
        title = FUNCTION.search(line)
        if title:
            name = title.group(1) or title.group(2)
            found[name], labels[name], waiting = [], {}, []
            continue
        if name is None:
            continue
        label = LABEL.match(line)
        if label:
            waiting.append(label.group(1))
            continue
        match = LINE.match(line)
        if match:
            address = int(match.group(1), 16)
            labels[name].update({one: address for one in waiting})
            waiting = []
            found[name].append(Instruction(address, (match.group(2) or "").strip(), match.group(3), match.group(4).strip()))
    return {one: (code, labels[one]) for one, code in found.items()}


def loops(code, labels):
    """The bodies of all loops that one backward branch closes, from the first to the last, each as instructions."""
    found = []
    for position, one in enumerate(code):
        if not one.opcode.startswith("BRA"):
            continue
        target = re.search(r"0x([0-9a-f]+)", one.operands)
        named = re.search(r"`\((\.L\w+)\)", one.operands)
        address = int(target.group(1), 16) if target else labels.get(named.group(1)) if named else None
        # A branch to itself is the trap after the end of every kernel.
        if address is not None and address < one.address:
            found.append([each for each in code[:position + 1] if each.address >= address])
    return found


def dependent(first, second):
    """Whether the second instruction reads a register that the first one wrote."""
    # The first general register is the one that is written; predicates may stand before it.
    wrote = re.search(r"\bU?R\d+\b", first.operands)
    if not wrote:
        return False
    own = re.search(r"\bU?R\d+\b", second.operands)
    # A store writes no register, and its only ones are read, so that one is looked for from the start.
    read = second.operands[own.end():] if own and not second.opcode.startswith("ST") else second.operands
    return re.search(rf"(?<![A-Z0-9]){wrote.group(0)}\b", read) is not None


def check(text, name, found, kind, unroll):
    """What the loop of a kernel holds. `ok` says whether it is what `found` (a `ptx.Op`) asks for; `why` says what is not."""
    every = functions(text)
    if name not in every:
        return {"ok": False, "why": f"the disassembly has no function {name}"}
    bodies = loops(*every[name])
    if not bodies:
        return {"ok": False, "why": "there is no loop"}
    wanted, beside = re.compile(rf"^(?:{found.opcodes})(?:\.|$)"), found.beside and re.compile(rf"^(?:{found.beside})(?:\.|$)")
    # Before 7.0 a 64-bit clock is read in a loop of its own, and a kernel of a pair has two measured ones.
    body = max(bodies, key=lambda one: sum(bool(wanted.match(each.opcode)) for each in one))
    meant = [one for one in body if wanted.match(one.opcode)]
    rest = [one.opcode for one in body if not wanted.match(one.opcode)]
    extra = [one for one in rest if not LOOP.match(one)]
    companions = [one for one in rest if beside and beside.match(one)]
    unexpected = [one for one in extra if not (beside and beside.match(one))]
    counts = collections.Counter(one.opcode for one in body)
    # The loop's own counter may be of the measured kind.
    surplus = len(meant) - unroll
    problems = []
    if not 0 <= surplus <= 1:
        problems.append(f"{len(meant)} measured instructions where {unroll} are expected")
    if unexpected:
        problems.append(f"also {', '.join(sorted(set(unexpected)))}")
    if len(rest) - len(companions) > 8:
        problems.append(f"{len(rest) - len(companions)} instructions beside the measured ones")
    chained = None
    if kind == "dep" and not beside and len(meant) > 1:
        links = sum(dependent(one, after) for one, after in zip(meant, meant[1:]))
        chained = links / (len(meant) - 1)
        if links < unroll - 1:
            problems.append(f"only {links} of {unroll - 1} depend on the one before")
    return {"ok": not problems, "why": "; ".join(problems) or None, "measured": len(meant),
            "meant": sorted({one.opcode for one in meant}), "beside": len(companions),
            "instructions": len(body), "opcodes": dict(counts.most_common(8)), "chained": chained}
