"""From fits to a machine file: comparison with the shipped one, and a file that `warpspan solve --machine` reads.

A measurement shows what happened, not what cannot. For pipelines whose latency does not change, an interval of what was
seen stands in the file as measured. For memory the file has the shipped interval widened by what was seen, still assumed.
"""

import copy
import math
from pathlib import Path

from . import fit, rate_fit
from .machine_file import entries, read_toml, write_toml
from .tools import ROOT

# Letters of `ptx.OPS` that stand for another letter of the machine, or for none.
NOT_A_LETTER = {"STORE", "GLOBAL.L2", "ATOMIC.GLOBAL"}
# Latencies that depend on what others do, so that the longest seen is no bound.
VARIABLE = {"SHARED", "GLOBAL", "LOCAL", "CONST", "TEXTURE", "ATOMIC", "SHFL", "SREG", "LSU", "BRANCH"}


def verdict(shipped, seen):
    """What a measurement says of a shipped letter: `confirmed`, `widened` or `refuted`, and why.

    Widened: the interval of latency must grow to hold what was seen. Refuted: the intervals are disjoint, or the unit holds
    longer or is shared by more warps than the file says, so that bounds made with it are too low."""
    why = []
    if seen.get("companions"):
        return beside(shipped, seen)
    low, high = seen.get("latency") or shipped["latency"]
    shipped_low, shipped_high = shipped["latency"]
    if low > shipped_high or high < shipped_low:
        why.append(f"latency {low} to {high} where the file has {shipped_low} to {shipped_high}")
    if seen["occupancy"] > shipped["occupancy"]:
        why.append(f"hold {seen['occupancy']} where the file has {shipped['occupancy']}")
    if seen["shared"] and seen["private_rejected"] and not shipped.get("shared", False):
        why.append("shared by the sub-partitions where the file has it private")
    if why:
        return "refuted", "; ".join(why)
    if low < shipped_low or high > shipped_high:
        return "widened", f"latency {low} to {high} is not within {shipped_low} to {shipped_high}"
    loose = []
    if high < shipped_high:
        loose.append(f"latency at most {high} of {shipped_high}")
    if seen["occupancy"] < shipped["occupancy"]:
        loose.append(f"hold {seen['occupancy']} of {shipped['occupancy']}")
    return "confirmed", ("room: " + ", ".join(loose)) if loose else None


def beside(shipped, seen):
    """The verdict where each measured instruction had another one beside it: both together are an upper end, and no lower."""
    high = seen["latency"][1] if seen.get("latency") else 0
    if high <= shipped["latency"][1] and seen["occupancy"] <= shipped["occupancy"]:
        return "confirmed", f"also with {seen['companions']} beside each one"
    return "unclear", f"with {seen['companions']} beside each one: latency at most {high}, hold at most {seen['occupancy']}"


def companions_of(checks):
    """Opcodes that stand beside each measured instruction and take time of their own; None if there are none."""
    found = set()
    for check in checks.values():
        if check.get("beside"):
            copies = check["measured"] // 2
            found |= {opcode for opcode, count in check["opcodes"].items() if copies <= count and opcode not in check["meant"] and opcode != "NOP"}
    return ", ".join(sorted(found)) or None


def trusted(checks):
    """Whether all loops of a letter hold what they should; None if nothing could disassemble them."""
    states = {check["ok"] for check in checks.values()}
    return False if False in states else None if None in states else True


def letters_of(record):
    """Fits of all letters whose samples are in a record."""
    found = {}
    for step, value in record.get("micro", {}).items():
        if step.startswith("letter-"):
            seen = fit.letter(value["samples"])
            seen["sass"], seen["companions"] = trusted(value["sass"]), companions_of(value["sass"])
            if seen["companions"] and seen.get("latency"):
                seen["latency"][0] = 1
            seen["sass_why"] = sorted({check["why"] for check in value["sass"].values() if check["why"]})
            found[value["letter"]] = seen
    # A load from global memory may come from any of its levels.
    chases = [value["latency"] for step, value in record.get("micro", {}).items() if step.startswith("chase-")]
    if "GLOBAL" in found and found["GLOBAL"].get("latency"):
        low, high = found["GLOBAL"]["latency"]
        found["GLOBAL"]["latency"] = [min([low] + [one["least"] for one in chases]), max([high] + [one["most"] for one in chases])]
    return found


def shipped_for(capability, folder=ROOT / "machines"):
    """The shipped machine of a capability, or None, with the name of its file."""
    path = Path(folder) / f"sm_{capability[0]}{capability[1]}.toml"
    return (path.name, read_toml(path.read_text())) if path.exists() else (None, None)


def compare(shipped, letters):
    """One row for each letter that was measured or shipped."""
    known, rows = entries(shipped), []
    for name in [*known, *(one for one in letters if one not in known)]:
        row = {"letter": name}
        if name in known:
            row["shipped"] = {key: known[name].get(key) for key in ("latency", "occupancy", "shared", "assumed")}
        if name in letters:
            seen = letters[name]
            row["measured"] = {key: seen.get(key) for key in ("latency", "occupancy", "occupancy_fit", "shared", "fit", "verdict", "sass")}
            if name not in known:
                row["verdict"] = "not in the file"
            elif seen["sass"] is False:
                row["verdict"], row["why"] = "not comparable", "; ".join(seen["sass_why"])
            else:
                said, why = verdict(known[name], seen)
                if seen["sass"] is None:
                    said, why = "not checked", f"nothing could disassemble the loops; if they are as meant: {said}{', ' + why if why else ''}"
                row["verdict"], row["why"] = said, why
        else:
            row["verdict"] = "not measured"
        rows.append(row)
    return rows


def made(shipped, letters, title, source):
    """The shipped machine with the numbers that were measured. Letters whose loops were not as they should are left."""
    machine = copy.deepcopy(shipped)
    machine["machine"]["name"] = title
    machine["sources"]["measured"] = source
    units = {unit["name"]: unit for unit in machine["unit"]}
    places = {**units, **{one["name"]: one for one in machine["letter"]}}
    known = entries(shipped)
    for name, seen in letters.items():
        if name not in places or name in NOT_A_LETTER or seen["sass"] is not True:
            continue
        place, was = places[name], known[name]
        fits = seen["verdict"] != "none fits"
        sure = fits and name not in VARIABLE and not seen["companions"]
        assumed = set(place.get("assumed", []))
        # A loop has one choice of registers, and others take longer where more of them lie in one bank: so no hold falls.
        place["hold"] = max(seen["occupancy"], was["occupancy"])
        assumed.discard("hold")
        if not fits:
            assumed.add("hold")
        if seen.get("latency"):
            low, high = seen["latency"]
            place["latency"] = [low, high] if sure else [min(low, was["latency"][0]), max(high, was["latency"][1])]
            assumed.discard("latency")
            if not sure:
                assumed.add("latency")
        place["sources"] = "measured" if sure and seen.get("latency") else "; ".join(filter(None, [place.get("sources"), "measured"]))
        place.pop("assumed", None)
        if assumed:
            place["assumed"] = sorted(assumed)
        unit = units[place.get("unit", name)]
        # One letter that is seen to be shared makes its unit shared: that only makes bounds longer.
        if seen["shared"] and seen["private_rejected"] and not unit.get("shared", False):
            unit["shared"] = True
    return machine


def fastest(record):
    """The fastest clock that the driver names or that was seen, in MHz."""
    step = record["device"]["device"]
    return math.ceil(max([step["properties"]["clock_khz"] / 1000, *step.get("clock_mhz", [])]) - 0.05)


def finish(record):
    """Fills `record["machine"]` from the samples that are there."""
    letters = letters_of(record)
    pairs = [fit.pair(value) for step, value in record.get("micro", {}).items() if step.startswith("pair-")]
    servers = rate_fit.servers(record)
    if not letters and not pairs and not record.get("rate"):
        return
    found = record["machine"] = {"measured": record["measured"], "letters": letters, "pairs": pairs, "servers": servers["tables"]}
    rates = [(seen["issues_per_cycle"], name) for name, seen in letters.items() if seen["sass"] is not False]
    rates += [(one["issued_per_cycle"], " with ".join(one["letters"])) for one in pairs if one["verdict"] != "not comparable"]
    most, by = max(rates, default=(0.0, None))
    # The loops of a pair also issue their counters and branches, which are not counted: this is a lower end of the width.
    found["issues_per_cycle"] = {"most_seen": most, "by": by, "more_than_one": most > 1.05}
    pinning = record.get("micro", {}).get("pinning")
    if pinning and not pinning["as_modelled"]:
        found["warning"] = "warps are not pinned to sub-partition i mod 4, so that no hold here means what it says"
    device = record.get("device", {}).get("device", {}).get("properties")
    if not device:
        return
    file, shipped = shipped_for((device["capability_major"], device["capability_minor"]))
    if not shipped:
        found["compared_with"] = None
        return
    found["compared_with"] = file
    found["comparison"] = compare(shipped, letters)
    if record["measured"]:
        source = f"measured on {device['name']}, {record['started'][:10]}"
        comment = [f"Compute capability of {device['name']}, with numbers measured on it."]
    else:
        source = "a made-up device; nothing was measured"
        comment = ["MADE UP: numbers of a device that does not exist. Nothing was measured."]
    comment += ["", f"Numbers whose source is `measured` were seen; the others are those of {file}. What was seen is not proved to be",
                "the most that can happen: latencies of memory stay assumed."]
    title = f"{shipped['machine']['name']}-{'measured' if record['measured'] else 'made-up'}"
    machine = made(shipped, letters, title, source)
    # Rates are bytes in a nanosecond, and bounds count cycles: at the fastest clock a cycle has the fewest bytes.
    machine["machine"]["clock_mhz"] = fastest(record)
    comment += rate_fit.into(machine, servers, source)
    found["toml"] = write_toml(machine, comment)
