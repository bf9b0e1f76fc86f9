"""What a bound needs to be told about a listing of an instrumented kernel: bounds of loops, transactions of its marks.

The listing is what `nvdisasm -g -c -hex` prints. A loop of the listing is a label and the branches back to it. It finds its
name, and with it its bound, by where it stands in other loops and by the line of the source in which a loop has its test.
Lines alone do not tell loops apart: code of a library function has the line of its call, which stands in the loop of the caller.
"""

import re

from . import corpus, instrument

_LABEL = re.compile(r"^(\.L_x_\d+):")
_PLACE = re.compile(r'^\s*//## File "[^"]*", line (\d+)')
# Two instructions that older GPUs issue together stand in braces.
_INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:\{\s*)?(.*?)\s*(?:;|\}|\(\*|$)(?:.*?(\(\*\"BRANCH_TARGETS[^*]*))?")
# A loop whose first line tests nothing.
_ENDLESS = re.compile(r"for\s*\([^;]*;\s*;|while\s*\(\s*(true|1)\s*\)")
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


def alone(listing, entry):
    """The listing without the code of other entries, whose lines are empty so that all others keep their numbers."""
    kept, inside = [], True
    for line in listing.split("\n"):
        section = re.match(r"\s*\.section\s+\.text\.([^,\s]+)", line)
        inside = section[1] == entry if section else inside
        kept.append(line if inside else "")
    return "\n".join(kept)


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
    spans, lines, found = loops(instructions), source.split("\n"), []
    named = [loop for loop in corpus.named_loops(source) if loop[0] in kernel.loops]
    tests = {loop: range(loop[1], loop[2] + 1 if _ENDLESS.search(lines[loop[1] - 1]) else loop[1] + 1) for loop in named}
    for label, loop in names_of(instructions, spans, tests).items():
        if loop is None and kernel.library is None:
            continue  # nothing is said of it: its bound is inferred, or there is no bound of the kernel
        most = kernel.library if loop is None else kernel.loops[loop[0]]
        # The pass that leaves counts where the branch back is taken in any case, since the test then stands before it.
        passes = most + (0 if instructions[spans[label][1]][3].startswith("@") else 1)
        found.append({"label": label, "name": loop[0] if loop else "library", "most": passes})
    stores = set(instrument.store_lines(source))
    marks = [number for number, place, _, text in instructions if place in stores and re.search(r"\bSTG?\b", text)]
    return {"loops": found, "marks": marks}


def names_of(instructions, spans, tests):
    """For the label of each loop of the listing its named loop (name, first line, last line), or None for one of a library function.

    `tests`: for each named loop the lines in which it may have its test.
    """
    found = {}
    # Outer loops first: what an outer loop is cannot be told from the loops in it, but they cannot be what is around them.
    for label, (first, last) in sorted(spans.items(), key=lambda item: (item[1][0], -item[1][1])):
        around = [found[other] for other, span in spans.items() if other != label and span[0] <= first and last <= span[1]]
        inner = [span for other, span in spans.items() if other != label and first <= span[0] and span[1] <= last]
        lines = {instructions[at][1] for at in range(first, last + 1) if not any(span[0] <= at <= span[1] for span in inner)}
        # A loop has its test in its own code, whereas the loops of a function that it calls may be in the code of any of its lines.
        # The outermost of those whose test is here: the tests of loops in it are here too, where they were unrolled.
        free = [loop for loop, places in tests.items() if lines.intersection(places) and not any(outer and loop[1] <= outer[1] and outer[2] <= loop[2] for outer in around)]
        found[label] = min(free, key=lambda loop: (loop[1], -loop[2]), default=None)
    return found
