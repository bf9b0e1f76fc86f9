// The tab "Time to a deadline": how long one launch of a kernel takes at most.
import * as compare from "./compare.js";
import * as declared from "./declared.js";
import { $, el, say } from "./dom.js";
import { Cancelled, ask } from "./engine.js";
import * as words from "./time-words.js";

/** The fields of the tab: keys of the state, and where they stand. */
export const FIELDS = {
  text: "launch-text", on: "on", entry: "entry", grid: "grid", block: "block", clock: "clock", deadline: "deadline",
  declarations: "declarations", machine: "machine",
  "dram-bytes": "dram-bytes", "l2-bytes": "l2-bytes", "l1-keeps-block": "l1-keeps-block", "l2-keeps-launch": "l2-keeps-launch", "arrays-distinct": "arrays-distinct",
  "dram-rate": "dram-rate", "dram-spread": "dram-spread", "dram-clock": "dram-clock", "dram-others": "dram-others", "host-memory": "host-memory", overclocked: "overclocked", multiprocessors: "multiprocessors", registers: "registers", shared: "shared",
  "dynamic-shared": "dynamic-shared", "launch-overhead": "launch-overhead", "copy-in": "copy-in", "copy-out": "copy-out", alone: "alone",
};

/** The flag of the command that a field is, where it has another name; the listing is no flag. A field shows it beside its name, since answers and
  * messages name what is given as the command does. */
const FLAGS = { on: "gpu", declarations: "declare", text: undefined };
const flag = (key) => key in FLAGS ? FLAGS[key] : key;

/** Lines that are shown at first. */
const TOP = 12;
/** As many units have a column of their own. */
const UNITS = 5;

/** The question that the fields ask. */
export function question(state) {
  const { on, text, src } = state;
  const same = ["entry", "grid", "block", "clock", "deadline", "multiprocessors", "registers", "shared", "dynamic-shared", "launch-overhead", "copy-in", "copy-out",
    "declarations", "machine", "dram-bytes", "l2-bytes", "l1-keeps-block", "l2-keeps-launch", "dram-rate", "dram-spread", "dram-clock", "dram-others", "host-memory"];
  const of = Object.fromEntries(same.map((key) => [key.replaceAll("-", "_"), state[key]]));
  return { command: "time", listing: text, file: src, gpu: on, alone: state.alone !== "", overclocked: state.overclocked !== "", arrays_distinct: state["arrays-distinct"] !== "", ...of, ...declared.asked(declared.list(state)) };
}

/** The entries of the listing, once a message has told them, and of which listing they are. */
let entries = { text: "", names: [] };

/** Puts what the fields have no place of their own for into the page. */
export function fill(state, gpus) {
  const gpu = gpus.get(state.on);
  $("clock").placeholder = gpu?.highest_clock_mhz ? String(gpu.highest_clock_mhz) : "";
  if (entries.text !== state.text) entries = { text: state.text, names: [] };
  const names = state.entry && !entries.names.includes(state.entry) ? [...entries.names, state.entry] : entries.names;
  $("entry").replaceChildren(el("option", { value: "" }, names.length > 1 ? "choose…" : "the only one"), ...names.map((name) => el("option", { value: name }, name)));
  $("entry").value = state.entry;
  $("entry").closest(".field").hidden = names.length === 0;
  // What is said stays in sight where its fields are folded away.
  for (const part of $("launch").querySelectorAll("details")) {
    const said = [...part.querySelectorAll("input, select, textarea")].filter(({ id }) => {
      const key = Object.keys(FIELDS).find((one) => FIELDS[one] === id);
      return state[key] !== "";
    });
    part.querySelector("summary span").textContent = said.length ? ` · ${said.length} said` : "";
  }
}

let hooks;

/** Takes what the tab may do with the state: read it, and change some of it. */
export function prepare(given) {
  hooks = given;
  for (const [key, id] of Object.entries(FIELDS)) {
    if (flag(key)) $("launch").querySelector(`label[for="${id}"]`).append(" ", el("code", { class: "flag" }, `--${flag(key)}`));
  }
  $("add-kind").append(...declared.ADDABLE.map(([value, name]) => el("option", { value }, name)));
  $("add").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = $("add-name").value.trim();
    if (name === "") return;
    $("add-name").value = "";
    declare([$("add-kind").value, name, ["uniform", "unreachable"].includes($("add-kind").value) ? "yes" : ""], true);
  });
}

/** Declares something, and goes to its field if it has no value yet. */
function declare(one, goes) {
  hooks.change({ declared: JSON.stringify(declared.added(declared.list(hooks.state()), one)) });
  rows([]);
  if (goes) [...$("rows").querySelectorAll("input")].at(-1)?.focus();
}

function rows(missing) {
  const all = declared.list(hooks.state());
  const set = (next) => hooks.change({ declared: JSON.stringify(next) });
  declared.show(all, missing, {
    change: (one) => set(declared.added(declared.list(hooks.state()), one)),
    remove: (one) => {
      set(declared.removed(declared.list(hooks.state()), one));
      rows([]);
    },
  });
}

/** Answers the question of the fields. `old` says whether nobody wants the answer any more. */
export async function answer(old) {
  const state = hooks.state();
  const place = $("launch-answer");
  if (state.text.trim() === "") {
    nothing("");
    say($("bound"), "Paste a listing, or choose an example");
    rows([]);
    return;
  }
  place.setAttribute("aria-busy", "true");
  $("computing").hidden = false;
  try {
    const found = await ask(question(state));
    if (old()) return;
    for (const id of ["launch-error", "refused"]) say($(id), "");
    wrong(undefined);
    rows([]);
    show(found);
    $("launch-answer").setAttribute("aria-busy", "false");
    $("computing").hidden = true;
    // A machine file is of one GPU.
    if (state.machine === "") await compare.show(question(state), hooks.gpus(), old, (on) => hooks.change({ on }, false));
  } catch (error) {
    if (error instanceof Cancelled || old()) return;
    const missing = error.missing ?? [];
    const told = missing.find(({ what }) => what === "entry");
    if (told) {
      entries = { text: state.text, names: told.names };
      fill(state, hooks.gpus());
    }
    nothing(error.message, error.flag);
    rows(declared.open(missing));
  } finally {
    if (!old()) {
      place.setAttribute("aria-busy", "false");
      $("computing").hidden = true;
    }
  }
}

/** Whoever asked has ended it: what is shown is not the answer to what the fields ask. */
export function stopped() {
  nothing("stopped: want any change of the fields, to ask again");
  $("launch-answer").setAttribute("aria-busy", "false");
  $("computing").hidden = true;
}

/** Marks the field of a flag, and no other. */
function wrong(of) {
  for (const [key, id] of Object.entries(FIELDS)) {
    $(id).toggleAttribute("aria-invalid", false);
    if (of !== undefined && flag(key) === of) $(id).setAttribute("aria-invalid", "true");
  }
}

/** After a message there is no number; it may be about the field of a flag. */
function nothing(message, of) {
  wrong(of);
  // Beside the fields for whoever fills them in, and where the answer would be for whoever looks there.
  for (const id of ["launch-error", "refused"]) say($(id), message);
  say($("bound"), message ? "No answer yet" : "");
  for (const id of ["told", "split", "limits", "hints"]) $(id).replaceChildren();
  for (const id of ["told", "where", "lines"]) $(id).hidden = true;
  $("gpu-rows").replaceChildren();
}

function show({ record, headline, html }) {
  // The module has escaped whatever a listing says.
  $("bound").hidden = false;
  $("bound").innerHTML = headline;
  $("told").innerHTML = html;
  $("told").hidden = false;
  where(record);
  hints(record);
}

const NAMES = ["own", "others", "memory"];

/** A bar of three parts, as long as its share of the longest. */
function bar(cost, most) {
  const all = words.parts(cost);
  const sum = all.reduce((a, b) => a + b, 0);
  const drawing = el("span", { class: "stack", "aria-hidden": "true" });
  all.forEach((cycles, i) => {
    if (cycles <= 0) return;
    const part = el("span", { class: NAMES[i] });
    part.style.width = `${100 * cycles / sum * cost.share / Math.max(most, 1e-9)}%`;
    drawing.append(part);
  });
  return drawing;
}

/** Where the time goes: all of it, by unit, and by line. */
function where(record) {
  const of = record.cycles;
  $("where").hidden = $("lines").hidden = !of;
  if (!of) return;
  const servers = record.memory?.servers ?? [];
  const memory = words.number(of.memory);
  const all = [
    [words.number(of.own), "own", "the warps that are followed, by themselves"],
    [words.number(of.others), "others", "other warps in their way"],
    [memory, "memory", servers.length ? `${servers.map(({ name, cycles }) => `${name} ${cycles}`).join(", ")}` : "the memory"],
  ].filter(([cycles]) => cycles > 0);
  const sum = all.reduce((total, [cycles]) => total + cycles, 0);
  const drawing = el("div", { class: "stack whole", "aria-hidden": "true" });
  for (const [cycles, name] of all) {
    const part = el("span", { class: name });
    part.style.width = `${100 * cycles / sum}%`;
    drawing.append(part);
  }
  const item = ([cycles, name, what]) => el("li", {}, el("span", { class: `swatch ${name}`, "aria-hidden": "true" }),
    el("strong", {}, `${(100 * cycles / sum).toFixed(1)}%`), ` ${Math.floor(cycles)} cycles: ${what}`);
  $("split").replaceChildren(drawing, el("ul", { class: "legend" }, ...all.map(item)));
  const units = of.units.filter(({ cost }) => cost.share >= 0.05).slice(0, 6);
  const most = Math.max(...units.map(({ cost }) => cost.share), 0);
  $("limits").replaceChildren(...units.map(({ unit, cost }, i) => el("tr", {}, el("td", {}, i === 0 ? el("strong", {}, unit) : unit),
    el("td", { class: "number" }, `${cost.share.toFixed(1)}%`), el("td", { class: "bars" }, bar(cost, most)), el("td", {}, words.reason(cost)))));
  lines(record);
}

/** What a unit adds with a line, in per cent of all. */
function ofUnit({ by_unit: units = {}, cost }, unit) {
  return unit in units ? cost.share * words.number(units[unit]) / Math.max(words.number(cost.adds), 1e-9) : 0;
}

/** A row for each line of the source or of the listing, with a column for each of the units that add most. */
function lines(record) {
  const { source = [], lines: all, units } = record.cycles;
  const columns = units.filter(({ cost }) => cost.share >= 0.05).slice(0, UNITS);
  const choice = $("by");
  const was = choice.value;
  choice.replaceChildren(...[...(source.length ? [["source", "lines of the source"]] : []), ["expensive", "instructions, those that add most first"],
    ["order", "instructions, in their order"]].map(([value, name]) => el("option", { value }, name)));
  if ([...choice.options].some(({ value }) => value === was)) choice.value = was;
  let isAll = false;
  const cell = (share) => el("td", { class: "number unit" }, share < 0.05 ? "" : share.toFixed(1));
  const names = columns.map(({ unit }) => el("th", { scope: "col", class: "number unit" }, unit));
  $("line-head").replaceChildren(...[...$("line-head").children].filter((head) => !head.classList.contains("unit")));
  $("line-head").lastElementChild.before(...names);
  $("line-sum").replaceChildren(el("td", {}), el("td", {}, "all lines"), el("td", {}), el("td", { class: "number" }, "100.0%"),
    ...columns.map(({ cost }) => cell(cost.share)), el("td", {}));
  const draw = () => {
    const by = choice.value;
    const chosen = by === "source" ? source : by === "order" ? [...all].sort((a, b) => a.line - b.line) : all;
    const shown = isAll || by === "order" ? chosen : chosen.slice(0, TOP);
    const most = Math.max(...chosen.map(({ cost }) => cost.share), 0);
    const text = (one) => by === "source" ? one.file.split(/[/\\]/).at(-1) : one.instruction ?? "(in a function)";
    $("line-rows").replaceChildren(...shown.map((one) => el("tr", {}, el("td", { class: "number" }, String(one.line)), el("td", { class: "code" }, text(one)),
      el("td", { class: "bars" }, bar(one.cost, most)), el("td", { class: "number" }, `${one.cost.share.toFixed(1)}%`),
      ...columns.map(({ unit }) => cell(ofUnit(one, unit))), el("td", {}, one.cost.share < 0.05 ? "" : words.reason(one.cost)))));
    $("more").hidden = shown.length === chosen.length;
    $("more").textContent = `Show all ${chosen.length} lines`;
  };
  choice.onchange = () => { isAll = false; draw(); };
  $("more").onclick = () => { isAll = true; draw(); };
  draw();
}

/** What the flag of a hint means here: something to declare, or a field to go to. */
function meant(hint) {
  const [, name, rest] = /^--([a-z0-9-]+)\s*(.*)$/.exec(hint) ?? [];
  const value = rest?.replace(/^'(.*)'$/, "$1") ?? "";
  const [label, number = ""] = value.split(/=(.*)/s);
  const some = number === "N" ? "" : number;
  if (name === "uniform") return { declares: ["uniform", value, "yes"] };
  if (name === "transactions") return { declares: ["transactions", label, some] };
  if (name === "param") return { declares: ["params", label, some] };
  if (name === "dram-bytes" || name === "l2-bytes") return { field: name };
  if (name === "l1-keeps-block") return { sets: { "l1-keeps-block": "yes" } };
  if (name === "l2-keeps-launch") return { sets: { "l2-keeps-launch": "sectors" } };
  return {};
}

function hints(record) {
  const item = ({ flag, condition, bound_ns: bound }) => {
    const { declares, field, sets } = meant(flag);
    const button = el("button", { type: "button" }, field || declares?.[2] === "" ? "Say how much" : "It is so");
    button.addEventListener("click", () => {
      if (declares) return declare(declares, declares[2] === "");
      if (sets) return hooks.change(sets);
      $(field).closest("details").open = true;
      $(field).focus();
    });
    return el("li", {}, `if ${condition}: at most `, el("strong", {}, words.time(bound)), " ", declares || field || sets ? button : "");
  };
  $("hints").replaceChildren(...(record.hints.length ? [el("h3", {}, "What would lower it"),
    el("p", { class: "help" }, "Nothing says that these are true: only you can. Each is shown at its best."), el("ul", {}, ...record.hints.map(item))] : []));
}
