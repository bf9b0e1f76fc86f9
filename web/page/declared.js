// What its user declares of a listing: a row for each thing that the code does not show.
import { $, el } from "./dom.js";

/** The kinds of declarations: the flag of the command, its name for a person, the key of the question, and what a row says before and behind its field. */
const KINDS = {
  "loop-bounds": { flag: "--loop-bound", name: "most iterations of a loop", key: "loop_bounds", before: (name) => `Loop ${name} runs at most`, behind: "times each time a warp comes to it" },
  "loop-totals": { flag: "--loop-total", name: "iterations in all warps together", key: "loop_totals", before: (name) => `Loop ${name} runs at most`, behind: "times in all warps together" },
  "params": { flag: "--param", name: "value of a parameter", key: "params", before: (name) => `Parameter ${name} is`, behind: "in every launch that the answer is for" },
  "transactions": { flag: "--transactions", name: "transactions of an access", key: "transactions", before: (name) => name === "*" ? "Each access takes at most" : `The access in line ${name} takes at most`, behind: "transactions each time" },
  "uniform": { flag: "--uniform", name: "branch without divergence", key: "uniform", before: (name) => `No warp diverges at the branch ${name}`, isSaid: true },
  "unreachable": { flag: "--unreachable", name: "line that is never reached", key: "unreachable", before: (name) => `Control never comes to line ${name}`, isSaid: true },
};

/** The kinds by their names for a person who adds a row, with their flags. */
export const ADDABLE = Object.entries(KINDS).map(([kind, { name, flag }]) => [kind, `${name} (${flag})`]);

/** The declarations of a state: [kind, name, value]. */
export function list(state) {
  try {
    const all = JSON.parse(state.declared);
    return Array.isArray(all) ? all.filter((one) => Array.isArray(one) && one.length === 3 && one[0] in KINDS).map((one) => one.map(String)) : [];
  } catch {
    return [];
  }
}

const same = ([kind, name]) => ([other, its]) => other === kind && its === name;

/** The declarations with one more, or with another value of one that is there. */
export const added = (all, one) => all.some(same(one)) ? all.map((other) => same(one)(other) ? one : other) : [...all, one];

/** The declarations without one of them. */
export const removed = (all, one) => all.filter((other) => !same(one)(other));

/** What of the question the declarations are; those without a value are open, and left out. */
export function asked(all) {
  const found = Object.fromEntries(Object.values(KINDS).map(({ key }) => [key, []]));
  for (const [kind, name, value] of all) {
    const { key, isSaid } = KINDS[kind];
    if (value.trim() !== "") found[key].push(isSaid ? name : `${name}=${value.trim()}`);
  }
  return found;
}

/** What is missing by a message, as declarations without a value. */
export const open = (missing) => missing.flatMap(({ what, names }) => what in KINDS ? names.map((name) => [what, name, ""]) : []);

let rows = new Map();

/** Shows a row for each declaration and for each that is missing; a row that stays keeps the focus. `change` takes a declaration with its
  * new value, `remove` one that is to go. */
export function show(all, missing, { change, remove }) {
  const wanted = missing.filter((one) => !all.some(same(one)));
  const shown = new Map();
  for (const one of [...wanted, ...all]) {
    const [kind, name, value] = one;
    const key = `${kind} ${name}`;
    const row = rows.get(key) ?? made(one, { change, remove });
    const field = row.querySelector("input");
    if (KINDS[kind].isSaid) field.checked = value !== "";
    else if (field.value !== value) field.value = value;
    const isOpen = missing.some(same(one)) && value === "";
    row.classList.toggle("open", isOpen);
    field.toggleAttribute("aria-invalid", false);
    if (isOpen) field.setAttribute("aria-invalid", "true");
    row.querySelector("button").hidden = wanted.includes(one);
    shown.set(key, row);
  }
  for (const [key, row] of rows) if (!shown.has(key)) row.remove();
  for (const row of shown.values()) if (!row.isConnected) $("rows").append(row);
  rows = shown;
  $("declared").hidden = shown.size === 0;
}

let last = 0;

function made([kind, name], { change, remove }) {
  const { flag, before, behind, isSaid } = KINDS[kind];
  const of = el("code", { class: "flag" }, flag);
  const id = `declared-${++last}`;
  const drop = el("button", { type: "button", "aria-label": `Leave out: ${before(name)}` }, "✕");
  drop.addEventListener("click", () => remove([kind, name, ""]));
  if (isSaid) {
    const box = el("input", { id, type: "checkbox" });
    box.addEventListener("input", () => change([kind, name, box.checked ? "yes" : ""]));
    return el("li", {}, box, el("label", { for: id }, before(name), " ", of), drop);
  }
  const field = el("input", { id, autocomplete: "off", spellcheck: "false", inputmode: kind === "params" ? "text" : "numeric", size: 8 });
  field.addEventListener("input", () => change([kind, name, field.value]));
  return el("li", {}, el("label", { for: id }, before(name)), field, el("span", {}, behind, " ", of), drop);
}
