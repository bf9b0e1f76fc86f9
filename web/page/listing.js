// Listings: letters of their entries, bounds, and what each line adds.
import { $, el, say, several } from "./dom.js";
import { Cancelled, ask } from "./engine.js";

const percent = (share) => `${share.toFixed(1)}%`;

/** The question about a listing. */
export function question(state) {
  const loops = state.lb.split(",").map((bound) => bound.trim()).filter((bound) => bound !== "");
  const warps = Number(state.w) >= 1 ? Math.floor(Number(state.w)) : 1;
  const of = state.gpu ? { gpu: state.gpu } : {};
  return { command: "extract", listing: state.text, warps, loop_bounds: loops, ...of };
}

/** Shows the entries of a listing; `use` takes an entry over as the kernel of the page. */
export async function show(state, use) {
  const place = $("entries");
  if (state.text.trim() === "") {
    say($("listing-error"), "");
    place.replaceChildren();
    return;
  }
  let found;
  try {
    found = await ask(question(state));
  } catch (error) {
    if (error instanceof Cancelled) return;
    say($("listing-error"), error.message);
    place.replaceChildren();
    return;
  }
  say($("listing-error"), found.entries.length ? "" : "the listing has no entry: want PTX or SASS with a kernel");
  place.replaceChildren(...found.entries.map((entry) => shown(entry, found.condition, use)));
}

function shown(entry, condition, use) {
  const parts = [el("h3", {}, entry.name)];
  const facts = [several(entry.instructions, "instruction"), `${entry.load_store} L`, `${entry.compute} C`,
    several(entry.branches, "branch").replace("branchs", "branches"), several(entry.loops, "loop"), several(entry.barriers, "barrier"),
    `compute capability ${entry.compute_capability}`];
  parts.push(el("p", {}, `${facts.join(", ")}.`));
  if (entry.program) {
    const text = entry.program;
    parts.push(el("p", { class: "mono" }, text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text));
    const button = el("button", { type: "button" }, "Use as the kernel above");
    button.addEventListener("click", () => use(entry));
    parts.push(el("p", {}, button));
  }
  const { machine } = entry;
  const wrong = entry.structure_error ?? machine?.structure_error ?? machine?.bound_error ?? entry.bound_error;
  if (wrong) parts.push(el("p", { class: "error" }, wrong));
  const { bound } = entry;
  if (bound) {
    const kind = `${bound.warps === 1 ? "takes" : "take"} ${bound.exact ? "exactly" : "at most"}`;
    parts.push(el("p", {}, el("strong", {}, `${several(bound.warps, "warp")} ${kind} ${bound.upper} cycles at worst${condition}`), `; a further warp adds ${bound.rate}.`));
    parts.push(...beside([...entry.assumptions.map(said), ...(entry.notes ?? [])], bound, (one) => one));
  } else if (machine?.bound) {
    const on = machine.bound;
    parts.push(el("p", {}, el("strong", {}, `${several(on.warps, "warp")} ${on.warps === 1 ? "takes" : "take"} at most ${on.upper} cycles on a multiprocessor of ${machine.name}`),
      ` (${on.theorem}); ${on.own} cycles of the critical path, which is ${on.critical_path}, are those of a warp by itself.`));
    parts.push(...beside([...entry.assumptions, ...machine.assumptions].map(said).concat(machine.notes ?? [], entry.notes ?? []), on, ({ cost, ...one }) => ({ ...one, ...cost })));
  }
  return el("section", { "aria-label": `entry ${entry.name}` }, ...parts);
}

const said = ({ kind, subject, value }) => `${kind}: ${subject}: ${value}`;

/** What a bound rests on, and what the lines add to it. */
function beside(notes, bound, of) {
  return [
    ...(notes.length ? [el("ul", { class: "help" }, ...notes.map((note) => el("li", {}, note)))] : []),
    ...(bound.source?.length ? [lines("What each line of the source adds", bound.source.map(of), ({ file, line }) => `${file}:${line}`)] : []),
    lines("What each line of the listing adds", bound.lines.map(of), ({ instruction }) => instruction ?? "(in a function)", true),
  ];
}

function lines(title, shares, text, numbered = false) {
  const head = [numbered && el("th", { scope: "col", class: "number" }, "line"), el("th", { scope: "col" }, "what"),
    el("th", { scope: "col", class: "number" }, "adds"), el("th", { scope: "col", class: "number" }, "share"), el("th", { scope: "col", "aria-hidden": "true" })];
  const most = Math.max(...shares.map(({ share }) => share), 1);
  const row = (share) => el("tr", {}, ...[
    numbered && el("td", { class: "number" }, String(share.line)), el("td", { class: "code" }, text(share)),
    el("td", { class: "number" }, share.adds), el("td", { class: "number" }, percent(share.share)),
    el("td", { "aria-hidden": "true" }, el("meter", { min: 0, max: most, value: share.share })),
  ].filter(Boolean));
  return el("details", { open: numbered }, el("summary", {}, title),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, el("table", {}, el("thead", {}, el("tr", {}, ...head.filter(Boolean))), el("tbody", {}, ...shares.map(row)))));
}
