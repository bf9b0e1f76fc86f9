"""What a loop of a disassembly holds, on listings written by hand."""

import pytest
from silicon import ptx, sass

FP32, SFU = ptx.BY_NAME["FP32"], ptx.BY_NAME["SFU"]


def listing(body, name="k"):
    """A function whose loop is `body`, as cuobjdump prints it."""
    lines = ["MOV R1, c[0x0][0x28]", *body, "IADD3 R9, R9, -0x1, RZ", "ISETP.NE.AND P0, PT, R9, RZ, PT", "@P0 BRA 0x10", "EXIT", "BRA 0x60"]
    text = [f"\t\tFunction : {name}", "\t.headerflags\t@\"EF_CUDA_SM90\""]
    text += [f"        /*{16 * index:04x}*/                   {line} ;   /* 0x0000000000000000 */" for index, line in enumerate(lines)]
    return "\n".join(text)


CHAIN = ["FFMA R4, R4, R5, R6"] * 4


def test_a_chain_that_is_there():
    found = sass.check(listing(CHAIN), "k", FP32, "dep", 4)
    assert found["ok"] and found["measured"] == 4 and found["chained"] == 1.0


@pytest.mark.parametrize("body, kind, word", [
    (CHAIN[:3], "dep", "3 measured instructions where 4"),
    (CHAIN + ["FFMA R7, R7, R5, R6"] * 2, "ind", "6 measured instructions where 4"),
    (["FFMA R4, R8, R5, R6"] * 4, "dep", "0 of 3 depend"),
    (CHAIN[:2] + ["STL [R1], R4"] + CHAIN[2:], "dep", "also STL"),
    (["MUFU.RSQ R4, R4"] * 4, "dep", "0 measured"),
])
def test_what_is_not_as_meant_is_named(body, kind, word):
    found = sass.check(listing(body), "k", FP32, kind, 4)
    assert not found["ok"] and word in found["why"]


def test_labels_of_nvdisasm():
    text = """.text.k:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/                   MUFU.RSQ R4, R4 ;
        /*0020*/                   MUFU.RSQ R4, R4 ;
        /*0030*/               @P0 BRA `(.L_x_1) ;
        /*0040*/                   EXIT ;
"""
    assert sass.check(text, "k", SFU, "dep", 2)["ok"]


def test_a_kernel_that_is_not_there():
    assert "no function" in sass.check(listing(CHAIN), "other", FP32, "dep", 4)["why"]
