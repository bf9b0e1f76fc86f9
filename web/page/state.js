// What the page shows, kept in the address so that a link shows the same.
import { LONGEST, unpack } from "./link.js";

/** What is shown at first: the tab, a kernel string, a listing, and a launch. */
export const START = {
  tab: "string", k: "LLCLL", w: "4", sl: "1", sc: "1", gpu: "", t: "1", lb: "", src: "", text: "",
  on: "jetson-orin", entry: "", grid: "", block: "", clock: "", deadline: "", declared: "[]", declarations: "", machine: "",
  "dram-bytes": "", "l2-bytes": "", "l1-keeps-block": "", "l2-keeps-launch": "", "arrays-distinct": "", "dram-rate": "", "dram-spread": "", "dram-clock": "", "dram-others": "", "host-memory": "", overclocked: "",
  multiprocessors: "", registers: "", shared: "", "dynamic-shared": "", "launch-overhead": "", "copy-in": "", "copy-out": "", alone: "",
};

/** What is declared of one listing and its launch, and says nothing of the next one: loops and accesses, what it moves, what its blocks
  * take, and what is copied for it. The GPU, its memory, the sizes and the deadline stay. */
export const OF_LISTING = {
  lb: "", entry: "", declared: "[]", declarations: "", "dram-bytes": "", "l2-bytes": "", "l1-keeps-block": "", "l2-keeps-launch": "",
  "arrays-distinct": "", registers: "", shared: "", "dynamic-shared": "", "copy-in": "", "copy-out": "",
};

/** The changes by which another listing takes the place of the one that is there. `before` has what was declared of listings that were
  * here before, for when one of them comes back. */
export function replaced(state, text, before, and = {}) {
  before.set(state.text, Object.fromEntries(Object.keys(OF_LISTING).map((key) => [key, state[key]])));
  return { ...OF_LISTING, ...before.get(text), ...and, text };
}

/** A listing that is not compressed is no longer than this in a link. */
const PLAIN = 6000;

/** The state that an address holds. A listing that cannot be read is left out, and `broken` says so. */
export async function read(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const state = { ...START };
  for (const key of Object.keys(START)) if (given.has(key)) state[key] = given.get(key);
  let broken = false;
  if (given.has("z")) {
    try {
      state.text = await unpack(given.get("z"));
    } catch {
      broken = true;
    }
  }
  return { state, broken };
}

/** Whether a listing is in the address by the name of an example, or has to be in it as a whole. */
const isWhole = (state) => state.src === "" && state.text !== "";

/** The address of a state, with its listing as `link.js` packs it, if that is known. What is as at first is left out, but the kernel and the
  * warps are always there in their tab. `fits` is whether all is in it. */
export function write(state, packed) {
  const isString = state.tab === "string";
  const kept = Object.entries(state).filter(([key, value]) => key !== "text" && (value !== START[key] || (isString && (key === "k" || key === "w"))));
  const short = new URLSearchParams(kept);
  if (!isWhole(state)) return { hash: `#${short}`, fits: true };
  if (packed) short.append("z", packed);
  else if (state.text.length <= PLAIN) short.append("text", state.text);
  const hash = `#${short}`;
  if (hash.length <= LONGEST && (packed || state.text.length <= PLAIN)) return { hash, fits: true };
  short.delete("z");
  return { hash: `#${short}`, fits: false };
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
