// Puts answers into the page.
import { $, el, say, several } from "./dom.js";
import { curve as drawCurve } from "./draw.js";
import { Replay } from "./schedule.js";
import * as words from "./words.js";

/** Letters of a kernel that are shown with their phases. */
const LETTERS = 240;

function end(record, side, number, warps) {
  const { theorem, checked, why } = words.evidence(record.evidence[side], warps);
  // The badge says in a word what its title says in a sentence.
  const word = record.evidence[side]?.checked ?? "";
  return [el("dt", {}, `${side === "lower" ? "at least" : "at most"} ${number}`),
    el("dd", {}, theorem, " ", el("span", { class: `badge ${word}`, title: why }, checked))];
}

/** The bounds, which are there before a search has ended. */
export function bounds(record, shown) {
  const { lower, upper } = record;
  $("verdict").textContent = lower === upper ? `${upper} cycles` : `between ${lower} and ${upper ?? "?"} cycles`;
  const find = (name) => record.bounds.find((row) => row.name === name);
  shown.estimate = find("min-over-y")?.value;
  shown.pessimistic = find("pessimistic")?.value;
  const rows = record.bounds.map((row) => {
    const kind = row.side === "estimate" ? "an estimate, never safe" : row.safe ? `safe, ${row.side} bound` : "not safe here";
    return el("tr", {}, el("td", {}, words.bound(row.name)), el("td", { class: "number" }, String(row.value)),
      el("td", row.safe ? {} : { class: "bad" }, kind), el("td", {}, row.source));
  });
  $("bounds").querySelector("tbody").replaceChildren(...rows);
}

/** The worst case, what stands behind it, its phases, and whether the estimate is too low. */
export function answer({ record, expanded }, table, shown) {
  const { lower, upper } = record;
  const exact = lower === upper;
  shown.lower = lower;
  shown.upper = upper;
  shown.expanded = expanded;
  shown.rate = record.phase?.rates[0];
  shown.unit = expanded && record.instance.sigma_l === "1" && record.instance.sigma_c === "1";
  const why = words.notExact(record);
  $("verdict").textContent = exact ? `${several(upper, "cycle")}, exactly` : `between ${lower} and ${upper} cycles${why ? ` (${why})` : ""}`;
  $("ends").replaceChildren(...end(record, "lower", lower, shown.warps), ...end(record, "upper", upper, shown.warps));
  const checks = record.checks.filter(({ result }) => result === "agrees").map(({ by }) => `${words.engine(by)} agrees.`);
  $("notes").replaceChildren(...[...checks, ...record.notes].map((note) => el("li", {}, note)));
  shown.worst = expanded && record.schedule ? new Replay(expanded, record.schedule) : undefined;
  $("worst-caption").textContent = exact ? `Worst: ${several(lower, "cycle")}` : `Longest known: ${several(lower, "cycle")}`;
  if (!shown.best) $("best-caption").textContent = "Best: searching";
  say($("no-schedule"), shown.worst ? "" : expanded ? "The schedule is too large to be drawn here." :
    "A program with branches or loops has many paths, so no one schedule is drawn. Choose a kernel without them.");
  phases(record, expanded);
  estimate(table, shown);
}

function estimate(table, shown) {
  const row = table.bounds.find(({ name }) => name === "min-over-y");
  if (!row) {
    say($("estimate"), "There is no estimate here: Be12 builds it from T(1) to T(4) of one kernel, which are not all known.");
    return;
  }
  const terms = row.terms.map(({ y, makespan, value }) => `y = ${y}: ${value} from T(${y}) = ${makespan}`).join("; ");
  const low = row.value < shown.lower;
  const verdict = low ? el("strong", { class: "bad" }, `It is too low by ${several(shown.lower - row.value, "cycle")}: a schedule takes ${shown.lower}.`)
    : row.value >= shown.upper ? el("span", { class: "good" }, "Here it is not too low.") : "Whether it is too low here is not known.";
  $("estimate").hidden = false;
  $("estimate").replaceChildren(`Be12 estimates the worst case as ${row.value}, the least of ceil(W/y) T(y) (${terms}). `, verdict);
}

function phases(record, expanded) {
  const place = $("labels");
  if (!expanded || !record.phase) {
    place.replaceChildren();
    say($("rate"), "Phases are shown for kernels without branches and loops.");
    return;
  }
  place.replaceChildren(...expanded.groups.map(({ kernel }, i) => string(kernel.replaceAll("|", ""), record.phase.labels[i] ?? "")));
  const { rates } = record.phase;
  const given = record.instance.groups[0].kernel;
  const more = given === expanded.groups[0].kernel ? "" : " The kernel is written out in sub-warp letters, since a sigma is below 1 or a ratio.";
  const law = record.evidence.upper?.name === "closed-form" && expanded.groups[0].warps > 2;
  $("rate").hidden = false;
  $("rate").textContent = `${law ? "Each warp, from the third on, adds" : "Each further warp adds at most"} a = ${rates.join(", ")} cycles.${more} ` +
    "A letter in a phase of the other unit hides behind it and costs nothing there.";
}

/** A kernel below its phases. */
function string(kernel, labels) {
  const letters = kernel.slice(0, LETTERS);
  const runs = [];
  [...letters].forEach((letter, i) => {
    const phase = labels[i] ?? letter;
    if (runs.at(-1)?.phase !== phase) runs.push({ phase, letters: [] });
    runs.at(-1).letters.push(letter);
  });
  const run = ({ phase, letters }) => el("span", { class: `phase ${phase}` }, el("small", {}, letters.length > 4 ? `phase ${phase}` : phase),
    ...letters.map((letter) => el("span", letter === phase ? {} : { class: "hidden-letter", title: "hides behind the phase" }, letter)));
  const said = runs.map(({ phase, letters }) => `${letters.join("")} in phase ${phase}`).join(", ");
  const rest = kernel.length > LETTERS ? [` and ${kernel.length - LETTERS} letters more`] : [];
  return el("div", { class: "string", role: "img", "aria-label": said }, ...runs.map(run), ...rest);
}

/** The best schedule that is known. */
export function best(found, shown) {
  shown.best = found;
  shown.bestReplay = new Replay(shown.expanded, found.schedule);
  const by = found.proved ? "every state was looked at" : `by ${words.policy(found.policy)}; not proved to be the best`;
  $("best-caption").textContent = `${found.proved ? "Best" : "Shortest known"}: ${several(found.makespan, "cycle")} (${by})`;
}

/** The best case is not known, for a reason. */
export function noBest(why) {
  $("best-caption").textContent = `Best: not known (${why})`;
}

/** What policies take is not known, for a reason. */
export function noPolicies(why) {
  $("policies").querySelector("tbody").replaceChildren(el("tr", {}, el("td", { colspan: 2 }, `not known: ${why}`)));
}

/** What policies take. */
export function policies(record) {
  const rows = record.runs.map((run) => el("tr", {}, el("td", {}, words.policy(run.policy)), el("td", { class: "number" }, String(run.makespan))));
  $("policies").querySelector("tbody").replaceChildren(...rows);
}

/** Draws the curve again, as wide as its place is now. */
let redraw = () => {};
new ResizeObserver(() => redraw()).observe($("growth"));

/** T(W) over W. */
export function growth(points, shown) {
  $("growth").hidden = !points;
  if (!points) return;
  $("slider").max = points.at(-1).warps;
  $("slider").value = shown.warps;
  $("slid").textContent = String(shown.warps);
  const now = points.find(({ warps }) => warps === shown.warps);
  const closed = points.every(({ exact }) => exact);
  const safe = now.pessimistic_is_safe ? "" : ", which is not safe at these sigmas";
  $("curve-says").textContent = `At W = ${now.warps} the worst case is ${closed ? "" : "at most "}${now.upper} cycles; the pessimistic makespan of Be12 is ${now.pessimistic}${safe}. ` +
    (closed ? "" : "Above sigma 1 the curve shows the bounds that are formulas; the answer above may be narrower.");
  redraw = () => drawCurve($("curve"), points, shown.warps);
  redraw();
  const row = (p) => el("tr", {}, ...[p.warps, p.upper, p.pessimistic, p.lower].map((n) => el("td", { class: "number" }, String(n))));
  $("curve-table").querySelector("tbody").replaceChildren(...points.map(row));
}

/** After a message there is no answer. */
export function nothing() {
  $("verdict").textContent = "No answer";
  for (const id of ["ends", "notes", "labels"]) $(id).replaceChildren();
  for (const id of ["rate", "estimate", "no-schedule"]) say($(id), "");
  $("bounds").querySelector("tbody").replaceChildren();
  $("growth").hidden = true;
}
