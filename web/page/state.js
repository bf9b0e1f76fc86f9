// What the page shows, kept in the address so that a link shows the same.

/** What is shown at first. */
export const START = { k: "LLCLL", w: "4", sl: "1", sc: "1", gpu: "", t: "1", lb: "", src: "", text: "" };

/** A listing longer than this does not fit into a link. */
export const LONGEST = 6000;

/** The state that an address holds. */
export function read(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const state = { ...START };
  for (const key of Object.keys(START)) if (given.has(key)) state[key] = given.get(key);
  return state;
}

/** The address of a state: what is as at first is left out, but the kernel and the warps are always there. */
export function write(state) {
  const kept = Object.entries(state).filter(([key, value]) =>
    key === "k" || key === "w" || (value !== START[key] && (key !== "text" || value.length <= LONGEST)));
  return `#${new URLSearchParams(kept)}`;
}

/** What to ask the engines: an instance as flags of the command line name it. */
export function question(state, capability) {
  const warps = Number(state.w);
  if (!/^\s*\d+\s*$/.test(state.w) || warps < 1 || !Number.isSafeInteger(warps)) {
    throw new Error(`warps ${JSON.stringify(state.w)}: want a whole number, 1 or more`);
  }
  if (state.k.trim() === "") throw new Error("no kernel: want a string of L and C, for example LLCLL");
  const sigmas = capability ? { compute_capability: capability } : { sigma_l: state.sl.trim(), sigma_c: state.sc.trim() };
  return { kernel: state.k, warps, ...sigmas };
}
