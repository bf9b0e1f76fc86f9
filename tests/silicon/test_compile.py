"""The kernels compile for capabilities 6.2, 8.7 and 9.0, and their loops hold the instructions that are meant."""

import re

import pytest
from silicon import device, memory, ptx, sass

CAPABILITIES = [(6, 2), (8, 7), (9, 0)]
# What a compiler makes of these is not one instruction for each, and the check must say so.
REFUSED = {(6, 2): {"COMPARE", "GLOBAL", "GLOBAL.L2", "ATOMIC.GLOBAL", "BARRIER", "SREG"}, (8, 7): {"SREG", "BRANCH"}, (9, 0): set()}


@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda one: f"sm_{one[0]}{one[1]}")
def test_letters(tools, capability):
    """One compilation for all letters, because starting the compiler takes longest."""
    ops = [found for found in ptx.OPS if found.since <= capability]
    bodies = [body for found in ops for body in ptx.of_letter(found.name)]
    image = tools.of_ptx(ptx.module(capability, bodies), capability)
    assert image.data.startswith(b"\x7fELF")
    refused = {}
    for found in ops:
        for name in re.findall(r"\.entry (\w+)\(", "".join(ptx.of_letter(found.name))):
            kind, unroll = name.split("_")[-2:]
            checked = sass.check(image.sass, name, found, kind, int(unroll))
            if not checked["ok"]:
                refused.setdefault(found.name, []).append(checked["why"])
            elif kind == "dep" and checked["chained"] is not None:
                assert checked["chained"] >= 0.99, name
    assert set(refused) == REFUSED[capability], refused


@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda one: f"sm_{one[0]}{one[1]}")
def test_pairs_chases_and_the_first_step(tools, capability):
    pairs = [pair for pair in ptx.PAIRS if max(ptx.BY_NAME[name].since for name in pair) <= capability]
    bodies = [body for pair in pairs for body in ptx.of_pair(*pair)]
    bodies += [memory.chase_kernel(name) for name in memory.CHASES] + [device.CLOCK]
    image = tools.of_ptx(ptx.module(capability, bodies), capability)
    for pair in pairs:
        for letter in pair:
            checked = sass.check(image.sass, ptx.pair_name(*pair), ptx.BY_NAME[letter], "ind", ptx.UNROLLS[0])
            if capability >= (8, 0):
                assert checked["ok"], (pair, letter, checked["why"])
    for name in memory.CHASES:
        assert_order(image.sass, name)


def assert_order(text, name):
    """Clock, load, store that needs what was loaded, clock: so follow one another in the loop that is timed."""
    wanted = ["CLOCK", "STS", "CLOCK"] if name == "none" else ["CLOCK", "LDG", "STS", "CLOCK"]
    seen = []
    for body in sass.loops(*sass.functions(text)[f"chase_{name}"]):
        opcodes = ["CLOCK" if one.opcode.split(".")[0] in ("CS2R", "S2R", "S2UR") else one.opcode.split(".")[0] for one in body]
        kept = [opcode for opcode in opcodes if opcode in ("CLOCK", "LDG", "STS")]
        seen.append(kept)
        if kept[:len(wanted)] == wanted:
            return
    raise AssertionError(f"chase_{name}: {seen}")
