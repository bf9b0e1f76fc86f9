// What the record of `time` says, in the words of the page.

/** The fields of the page that stand for flags of the command. */
const FIELDS = {
  "alone": "nothing else runs", "clock": "clock", "overclocked": "clock above the data sheet", "host-memory": "memory of the host", "launch-overhead": "launch overhead", "copy-in": "copy in", "copy-out": "copy out",
  "multiprocessors": "multiprocessors that run", "registers": "registers", "shared": "shared memory", "dynamic-shared": "dynamic shared memory", "dram-bytes": "bytes in DRAM",
  "l2-bytes": "bytes through L2", "dram-rate": "rate of the DRAM", "dram-clock": "clock of the DRAM", "dram-others": "others take", "dram-spread": "addresses over the banks",
  "l1-keeps-block": "first cache keeps", "l2-keeps-launch": "L2 keeps", "arrays-distinct": "different arrays", "loop-bound": "bound of a loop", "loop-total": "passes in all warps",
  "param": "value of a parameter", "uniform": "branch without divergence", "unreachable": "line that is never reached",
  "transactions": "transactions", "entry": "kernel", "gpu": "GPU", "machine": "machine file", "declare": "file of declarations",
};

/** A sentence with the names of fields in place of flags. What the page has no field for stays as the command line has it. */
export const inFields = (text) => text.replace(/--([a-z][a-z0-9-]*)/g, (flag, name) => name in FIELDS ? `“${FIELDS[name]}”` : flag);

/** Nanoseconds in the largest unit of which there is one or more, exactly, as the command writes them. */
export function time(ns) {
  const [unit, places] = ns < 1e3 ? ["ns", 0] : ns < 1e6 ? ["us", 3] : ns < 1e9 ? ["ms", 6] : ["s", 9];
  const digits = String(ns).padStart(places + 1, "0");
  const part = digits.slice(digits.length - places).replace(/0+$/, "");
  const whole = digits.slice(0, digits.length - places);
  return `${whole}${places && part ? `.${part}` : ""} ${unit}`;
}

/** A number of the record that may be a ratio. */
export function number(text) {
  const [whole, part] = String(text ?? "0").split("/");
  return Number(whole) / Number(part ?? 1);
}

/** The three things of which a cost is made, in cycles: the warp itself, other warps, the memory. */
export const parts = (cost) => [
  number(cost.own_issue) + number(cost.own_latency), number(cost.others_unit) + number(cost.others_slots), number(cost.memory),
];

/** What most of a cost is. */
export function reason(cost) {
  const all = [
    [cost.own_issue, "its own issue"], [cost.own_latency, "waiting for results"], [cost.others_unit, "waiting while other warps hold the unit"],
    [cost.others_slots, "waiting while other warps issue"], [cost.memory, "the memory traffic of all warps"],
  ].map(([cycles, words]) => [number(cycles), words]);
  return all.reduce((most, one) => (one[0] >= most[0] ? one : most))[1];
}
