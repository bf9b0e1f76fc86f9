// What the words of records mean, for a person.

const THEOREMS = {
  "schedule": "a schedule of this length, replayed here by a verifier of its own",
  "closed-form": "the closed form I + (W − 1) a (Theorem 2)",
  "phase": "the phase bound (Theorem 1)",
  "critical-path": "the critical path: one warp's instructions and its waits on each unit",
  "bottleneck": "what the fullest unit needs",
  "segments": "the sum over the segments between barriers",
  "program": "the phase bound of programs with branches and loops",
  "relay": "the relay bound of blocks that follow one another",
  "exhaustive": "a search in which every state was looked at",
  "ilp-dual": "the dual bound of an integer program",
  "phase-width-latency": "the phase bound with issue width and latency",
  "pipelined": "few warps with long latencies",
};

const CHECKED = {
  machine: "checked by machine",
  paper: "proved on paper",
  tested: "tested against other programs",
};

const CHECKED_LONG = {
  machine: "The schedule was replayed just now, or Coq has checked the proof of the theorem.",
  paper: "The proof is written out in the manual and was not checked by a machine.",
  tested: "It rests on a program without a proof, which agrees with others wherever it was compared.",
};

/** What stands behind one end of an answer for so many warps. */
export function evidence(basis, warps) {
  if (!basis) return { theorem: "nothing is known", checked: "", why: "" };
  const isPair = basis.name === "closed-form" && warps === 2;
  return {
    theorem: isPair ? "the longest path over the pairs of positions of two warps" : THEOREMS[basis.name] ?? basis.name,
    checked: CHECKED[basis.checked] ?? basis.checked,
    why: CHECKED_LONG[basis.checked] ?? "",
  };
}

const BOUNDS = {
  "pessimistic": "pessimistic makespan",
  "critical-path": "critical path",
  "phase": "phase bound",
  "segments": "sum over the segments",
  "min-over-y": "estimate from few warps",
  "bottleneck": "fullest unit",
  "program": "phase bound of programs",
  "paths": "a path of the program",
};

/** The name of a bound. */
export const bound = (name) => BOUNDS[name] ?? name;

const WHY = {
  "several-blocks": "barriers of several blocks are not searched",
  "paths": "the paths of a program are not searched",
  "no-engine": "no search takes an instance of this size",
  "states": "there are more states than are searched",
  "search-time": "the search stopped after 10 s",
  "beam": "only the most promising states were looked at",
  "time-limit": "the time for searching was over",
  "memory-limit": "the memory for searching was used up",
};

/** Why an answer is an interval. */
export const notExact = (record) => WHY[record.stop ?? record.not_exact] ?? "";

const ENGINES = { states: "An exhaustive search", phase: "The phase bound", ilp: "An integer program" };

/** The name of an engine that checked an answer. */
export const engine = (name) => ENGINES[name] ?? name;

const POLICIES = {
  "lrr": "loose round robin", "gto": "greedy, then oldest", "oldest": "oldest first", "rt-paws": "RT-PAWS",
  "random": "random order", "worst": "the adversary",
};

/** The name of a policy. */
export const policy = (name) => POLICIES[name] ?? name;
