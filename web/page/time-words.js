// What the record of `time` says, in the words of the page.

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
