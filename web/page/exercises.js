// The exercises of the tutorial. Each looks at what the page shows and says whether it is done.
import { el } from "./dom.js";

const count = (text, letter) => [...text.toUpperCase()].filter((c) => c === letter).length;
const straight = (shown) => shown.expanded?.groups[0].kernel ?? "";

const EXERCISES = [
  {
    task: "Take LLCLL on four warps and step through its worst schedule. Find a cycle in which both units serve a warp and yet two warps or more wait. Which warp waits longest?",
    start: "#k=LLCLL&w=4",
    done: (shown) => shown.kernel === "LLCLL" && shown.warps === 4 && shown.cycle?.L.waits.length >= 2 && shown.cycle.C.issues.length > 0,
    hint: "Cycle 7 is one: warp 3 has the load/store units, warp 2 the CUDA cores, and warps 1 and 4 wait. Warp 4 is the straggler: after cycle 1 it waits until the others are through.",
  },
  {
    task: "Find a kernel of three L and three C, in any order, of which each further warp adds 5 cycles at sigma 1. Which order adds only 3?",
    start: "#k=LLCCLC&w=4",
    done: (shown) => shown.unit && shown.rate === "5" && count(straight(shown), "L") === 3 && count(straight(shown), "C") === 3 && straight(shown).length === 6,
    hint: "Cut the string between equal neighbours; each piece of length l adds l/2, rounded up. LLLCCC has the pieces L, L, LC, C, C and adds 5; LCLCLC is one piece and adds 3.",
  },
  {
    task: "Be12 estimates T(W) as the least of ceil(W/y) T(y) over y = 1 to 4. Find a kernel at sigma 1, and a number of warps, for which this estimate is too low (erratum E1).",
    start: "#k=LLCLL&w=8",
    done: (shown) => shown.unit && shown.estimate !== undefined && shown.estimate < shown.lower,
    hint: "Short alternating kernels do it: LCL takes 4 cycles on two warps, so the estimate for four is 8, and the worst case is 9.",
  },
  {
    task: "The pessimistic makespan is safe at sigma 1. Raise a sigma and find a kernel that takes longer than it says (erratum E2).",
    start: "#k=LLC&w=4",
    done: (shown) => !shown.unit && shown.pessimistic !== undefined && shown.pessimistic < shown.lower,
    hint: "LL with sigma L = 2 on four warps: the equation says 4, but the adversary needs 5, since it can leave one warp alone at the end.",
  },
  {
    task: "Find a kernel with both letters, on four warps or more, for which all schedules take equally long: the best case is the worst case.",
    start: "#k=LLCLL&w=4",
    done: (shown) => shown.best?.proved && shown.best.makespan === shown.lower && shown.lower === shown.upper && shown.warps >= 4 && straight(shown).includes("L") && straight(shown).includes("C"),
    hint: "LC: the second letter always hides behind the L of another warp, and the load/store units never rest.",
  },
];

const marks = [];

/** Puts the exercises into their list. */
export function write(list) {
  for (const { task, start, hint } of EXERCISES) {
    const mark = el("strong", { class: "good", role: "status" });
    marks.push(mark);
    list.append(el("li", {}, task, " ", el("a", { href: start }, "Start here."), " ", mark,
      el("details", {}, el("summary", {}, "A solution"), hint)));
  }
}

/** Marks those that are done by what is shown. An exercise that is done stays so. */
export function judge(shown) {
  EXERCISES.forEach(({ done }, i) => {
    if (marks[i].textContent === "" && done(shown)) marks[i].textContent = `Done: ${shown.kernel} on ${shown.warps} warps.`;
  });
}
