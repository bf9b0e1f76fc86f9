"""What a bound needs to be told about a listing of an instrumented kernel: bounds of loops, transactions of its marks.

The listing is what `nvdisasm -g -c -hex` prints. A loop of the listing is a label and the branches back to it; it finds its
name, and with it its bound, by the lines of the source from which these branches and its body come. A loop none of whose
lines stands in a named loop is one of a library function.
"""

import re

from . import corpus, instrument

_LABEL = re.compile(r"^(\.L_x_\d+):")
_PLACE = re.compile(r'^\s*//## File "[^"]*", line (\d+)')
# Two instructions that older GPUs issue together stand in braces.
_INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:\{\s*)?(.*?)\s*(?:;|\}|\(\*|$)(?:.*?(\(\*\"BRANCH_TARGETS[^*]*))?")
_TARGET = re.compile(r"`\((\.L_x_\d+)\)")


class ListingError(Exception):
    """The listing does not say what is needed."""


def section(listing, entry):
    """The instructions of an entry: (line of the listing, line of the source or None, label before it or None, text)."""
    lines = listing.split("\n")
    try:
        start = next(at for at, line in enumerate(lines) if line.strip() == f".text.{entry}:")
    except StopIteration:
        raise ListingError(f"the listing has no entry {entry}") from None
    found, place, label = [], None, None
    for number, line in enumerate(lines[start + 1:], start + 2):
        if line.lstrip().startswith(".section"):
            break
        here = _PLACE.match(line)
        place = int(here[1]) if here else place
        named = _LABEL.match(line)
        label = named[1] if named else label
        code = _INSTRUCTION.match(line)
        if code:
            found.append((number, place, label, code[1] + (code[2] or "")))
            label = None
    return found


def loops(instructions):
    """The loops: label to (first, last index of an instruction, the last one being a branch back)."""
    at = {label: index for index, (_, _, label, _) in enumerate(instructions) if label}
    found = {}
    for index, (_, _, _, text) in enumerate(instructions):
        target = _TARGET.search(text)
        # A branch to itself fills the space behind the code; and code that stands aside also branches back, once.
        if target and re.search(r"\bBRA\b", text) and at.get(target[1], index) < index and comes_to(instructions, at, at[target[1]], index):
            found[target[1]] = (at[target[1]], index)
    return found


def comes_to(instructions, at, start, goal):
    """True if there is a way from one instruction to the other."""
    seen, todo = set(), [start]
    while todo:
        index = todo.pop()
        if index == goal:
            return True
        if index in seen or index >= len(instructions):
            continue
        seen.add(index)
        text = instructions[index][3]
        if not re.search(r"\bBSSY\b", text):
            todo += [at[label] for label in re.findall(r"\.L_x_\d+", text) if label in at]
        if not re.match(r"(BRA|BRX|EXIT|RET|JMP|SYNC|BRK)\b(?!.*\bP\d)", text) or re.match(r"BRA\.\w+ !?U?P\d|BRA\.DIV", text):
            todo.append(index + 1)
    return False


def declarations(listing, kernel, source):
    """For an entry of an instrumented `source`: loops, each with label, name and most passes, and lines of one transaction."""
    instructions = section(listing, kernel.name)
    named = corpus.named_loops(source)
    found = []
    spans = loops(instructions)
    # Inner loops first, so that an outer one never takes the name of a loop in it.
    taken = {}
    for label, (first, last) in sorted(spans.items(), key=lambda item: item[1][1] - item[1][0]):
        inside = {name for other, name in taken.items() if spans[other][0] >= first and spans[other][1] <= last}
        loop = name_of(instructions, first, last, [one for one in named if one[0] in kernel.loops], inside)
        taken[label] = loop
        if loop is None and kernel.library is None:
            continue  # nothing is said of it: its bound is inferred, or there is no bound of the kernel
        most = kernel.library if loop is None else kernel.loops[loop[0]]
        # The pass that leaves counts where the branch back is taken in any case, since the test then stands before it.
        passes = most + (0 if instructions[last][3].startswith("@") else 1)
        found.append({"label": label, "name": loop[0] if loop else "library", "most": passes})
    stores = set(instrument.store_lines(source))
    marks = [number for number, place, _, text in instructions if place in stores and re.search(r"\bSTG?\b", text)]
    return {"loops": found, "marks": marks}


def name_of(instructions, first, last, named, inside):
    """The named loop of a loop: the smallest that has the line of the branch back, or else of most instructions."""
    free = sorted((loop for loop in named if loop not in inside), key=lambda loop: loop[2] - loop[1])
    lines = [place for _, place, _, _ in instructions[first:last + 1] if place]
    back = instructions[last][1]
    heads = [loop for loop in free if back == loop[1]]
    if heads:
        return heads[0]
    for loop in free:
        if loop[1] <= (back or 0) <= loop[2]:
            return loop
    best = max(free, key=lambda loop: sum(loop[1] <= place <= loop[2] for place in lines), default=None)
    return best if best and any(best[1] <= place <= best[2] for place in lines) else None
