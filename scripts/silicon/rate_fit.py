"""From marks of warps to rates, and from rates to the servers of a machine file.

A *window* is the time from one end of a chunk to the `per`-th one after it, whichever warps they are of. Windows follow one
another, and each has the same amount of work. A chunk counts in the window in which it ends, so what belongs to a window may
differ from what is counted by at most one chunk of each warp; over windows in a row this does not add up.

Rates of bytes are in GB/s, which is bytes in a nanosecond; those of atomics are lanes in a cycle. The step of the timer is
added to each time, so that no rate is too high because of it. The least of n windows has a place among all windows: if they
are alike, one more is below it with probability 1 / (n + 1). This is no bound of what can happen.
"""

import bisect
import math
from fractions import Fraction

COMPANIES = ("alone", "beside")
# The steps of which a server's rate is the least. A line is served as fast wherever it lies, and whatever is done with it.
SERVERS = {
    "DRAM": ("rate.read", "rate.write", "rate.copy", "rate.random-lines"),
    "L2": ("rate.l2-read",),
    "ATOMICS": ("rate.atomic-same", "rate.atomic-same-reduce", "rate.atomic-same-float", "rate.atomic-words", "rate.atomic-sectors"),
}
SECTORS, CHANNEL = "rate.random-sectors", "rate.one-channel"
SECTOR_BYTES = 32


class Marks:
    """The times that the warps of one launch noted: when all ran, and the ends of all chunks."""

    def __init__(self, words, warps, each):
        """`words`: for each warp `each` numbers: the time from which its marks count, the ends of its chunks, and zeros."""
        starts, known, last, self.ends = [], [], [], []
        for warp in range(warps):
            mine = words[warp * each:(warp + 1) * each]
            count = mine.index(0) if 0 in mine else each
            if count < 2:
                raise ValueError(f"warp {warp} of {warps} noted nothing")
            # The last place is written again and again where there was no room, so it is not the end of the next chunk.
            used = mine[1:count if count < each else each - 1]
            starts.append(mine[0])
            known.append(used[-1] if used else mine[0])
            last.append(mine[count - 1])
            self.ends.extend(used)
        self.ends.sort()
        # All warps run from `begin` to `over`, and all ends are known up to `end`.
        self.begin, self.end, self.over, self.warps = max(starts), min(known), min(last), warps

    def between(self, begin=None, end=None):
        """The first and the last of the ends at which all warps, and those of another launch, are busy."""
        begin, end = max(self.begin, begin or 0), min(self.end, self.end if end is None else end)
        return bisect.bisect_left(self.ends, begin), bisect.bisect_right(self.ends, end) - 1

    def windows(self, per, low, high):
        """Times of windows of `per` chunks, one after another."""
        return [self.ends[at + per] - self.ends[at] for at in range(low, high - per + 1, per)]


def statistics(sample):
    """Median, 1st percentile and least rate of a sample: {"amount", "unit", "times_ns", "timer_step_ns", "clock_mhz"}."""
    rates = sorted(exact(sample))
    count = len(rates)
    if not count:
        return {"samples": 0}
    return {"samples": count, "unit": "GB/s" if sample["unit"] == "bytes" else "lanes/cycle", "median": digits(rates[(count - 1) // 2]),
            "p1": digits(rates[math.ceil(count / 100) - 1]), "least": digits(rates[0]), "percentile_of_least": round(100 / (count + 1), 4),
            "window_ns": sorted(sample["times_ns"])[count // 2]}


def exact(sample):
    """The rate of each window as a fraction."""
    if sample["unit"] == "bytes":
        scale = Fraction(1)
    elif not sample["clock_mhz"]:
        return []
    else:
        # With the fastest clock that was seen a window has the most cycles, and a cycle the fewest lanes.
        scale = Fraction(1000) / Fraction(str(max(sample["clock_mhz"])))
    return [scale * sample["amount"] / (time + sample["timer_step_ns"]) for time in sample["times_ns"]]


def digits(value):
    return float(f"{float(value):.5g}")


def down(value):
    """A number as text with four digits or more, and no more than the number is."""
    places = max(1, 3 - math.floor(math.log10(value)))
    whole = math.floor(value * 10 ** places)
    text = f"{whole // 10 ** places}.{whole % 10 ** places:0{places}d}"
    return text.rstrip("0").rstrip(".")


def least(record, names, company):
    """The least rate of several steps with its step and the number of windows; None if a step is missing, saw no window, or
    its loop is not known to hold what it should."""
    found = []
    for name in names:
        value = record.get("rate", {}).get(name)
        sample = value and value.get(company)
        if not sample or not sample["times_ns"] or value["sass"]["ok"] is not True:
            return None
        rates = exact(sample)
        found.append((min(rates), name, len(rates)))
    rate, name, _ = min(found)
    return {"rate": rate, "step": name, "windows": sum(count for _, _, count in found)}


def lone_sector(line, sectors):
    """Bytes of a line's time that a sector costs which comes alone in its line: at `line` bytes in a nanosecond these take as
    long as a sector takes where `sectors` bytes in a nanosecond come so. Rounded up, and never less than the sector itself."""
    return max(SECTOR_BYTES, math.ceil(SECTOR_BYTES * Fraction(line) / Fraction(sectors)))


def servers(record):
    """The `[[server]]` tables that the rates of a record give, with what the reader of the file should know."""
    tables, counts, said = [], [], []
    for name, steps in SERVERS.items():
        seen = least(record, steps, "alone")
        if not seen:
            continue
        text = down(seen["rate"])
        table = {"name": name, "rate": f"{text} /cycle" if name == "ATOMICS" else f"{text} GB/s"}
        counts.append(f"{seen['windows']} windows for {name}")
        beside = least(record, steps, "beside")
        if beside:
            said.append(f"{name}: the least rate is that of {seen['step']}; beside a kernel that copies it was {down(beside['rate'])}"
                        f" {table['rate'].split(' ', 1)[1]} ({beside['step']}).")
        sectors = name == "DRAM" and least(record, (SECTORS,), "alone")
        if sectors:
            # With the rate as it stands in the file, so that the file never says more of sectors than was seen.
            table["lone_sector"] = lone_sector(Fraction(text), sectors["rate"])
        tables.append(dict(table, sources="M", assumed=[]))
    channel = least(record, (CHANNEL,), "alone")
    if channel and any(table["name"] == "DRAM" for table in tables):
        said.append(f"DRAM: sectors {record['rate'][CHANNEL]['stride']} bytes apart came at {down(channel['rate'])} GB/s. If they are of one channel,"
                    " the rate above is none for code whose accesses all fall to one.")
    return {"tables": tables, "windows": ", ".join(counts), "said": said}


def into(machine, found, source):
    """Puts the servers into a machine, in place of those with their names; returns lines of comment."""
    if not found["tables"]:
        return []
    machine["sources"]["M"] = f"{source}: the least rate of {found['windows']}"
    places = {one["name"]: one for one in machine["server"]}
    for table in found["tables"]:
        if table["name"] in places:
            places[table["name"]].update(table)
        else:
            machine["server"].append(dict(table))
    return ["", "Rates of servers are the least that was seen, with nothing else on the GPU. They are no bounds: the next window may be slower.",
            *found["said"]]


def finish(record):
    """Statistics of all samples that are in a record."""
    for value in record.get("rate", {}).values():
        for company in COMPANIES:
            if value.get(company):
                value[company]["rates"] = statistics(value[company])
