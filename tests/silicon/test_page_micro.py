"""The part of the page about instructions and memory, from a made-up record."""

from silicon import fit, machine, page_micro

SAMPLES = [{"kind": kind, "place": place, "warps": warps, "rounds": 1,
            "spans": {"32": [32 * step], "96": [96 * step]}}
           for kind in ("dep", "ind") for place in ("one", "all") for warps in (1, 8) for step in [5 if kind == "dep" else 2 * warps]]
CHECK = {"ok": True, "why": None, "measured": 32, "meant": ["FFMA"], "beside": 0, "opcodes": {"FFMA": 32}, "instructions": 35, "chained": 1.0}
RECORD = {
    "measured": False,
    "started": "2000-01-01",
    "micro": {
        "letter-FP32": {"letter": "FP32", "samples": SAMPLES, "sass": {"k": CHECK}},
        "pinning": {"as_modelled": False, "with_warp_0": [2, 4]},
        "pair-A-B": {"letters": ["A", "B"], "ratio": 2.0, "issued_per_cycle": 1.4, "sass": [CHECK, CHECK]},
        "chase-l2": {"cycles_with_clock": fit.percentiles([250, 251, 777]), "cycles_of_clock": fit.percentiles([11]), "noise_lasted": None,
                     "latency": {"least": 239, "middle": 240, "most": 775}, "histogram": [[250, 2], [770, 1]]},
        "stride-SHARED": {"letter": "SHARED", "sass": [CHECK], "rows": [{"stride": 32, "chain": [1, 96.5, 99], "one": [1, 32.5, 33], "all": [1, 31.5, 32]}]},
        "barrier": {"rows": [{"warps": 4, "cycles": [16, 17, 18]}]},
    },
}


def test_every_part_stands_on_the_page():
    machine.finish(RECORD)
    page = page_micro.section(RECORD)
    for word in ("FP32", "not pinned", "A and B", "two at once", "777", "775", "96.5", "Barriers", "private", "as meant"):
        assert word in page, word


def test_nothing_measured_is_said():
    assert page_micro.section({"measured": False}) == "<p>No instruction was measured.</p>"
    # A record that was cut off early has some steps and no fits.
    assert "Lanes apart" in page_micro.section({"measured": False, "micro": {"pinning": {"with_warp_0": []}}})
