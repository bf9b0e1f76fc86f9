// The page: what the user types becomes questions, and answers become what is shown.
import { $, el, say } from "./dom.js";
import { Cancelled, ask, cancel } from "./engine.js";
import { KERNELS, LISTINGS } from "./examples.js";
import * as exercises from "./exercises.js";
import * as listing from "./listing.js";
import { pack } from "./link.js";
import * as shows from "./shows.js";
import { START, question, read, replaced as another, write } from "./state.js";
import { Stepper } from "./stepper.js";
import * as launch from "./time.js";

/** Seconds that the searches may take: at first, so that all of the page is there soon, and then for a narrower interval. */
const SOON = 1.5;
const LONG = 20;

let state = { ...START };
/** The listing as a link has it. */
let packed = { text: "", as: "" };
let shown = {};
let gpus = new Map();
let turn = 0;
let timer;
/** The number of warps to which the slider goes; it stays while it is moved. */
let span = 64;
let isSliding = false;
const stepper = new Stepper((cycle) => {
  state.t = String(cycle);
  put();
  judge();
});

/** Fields of the tab of kernel strings. A listing is in both tabs. */
const OF_STRINGS = { k: "kernel", w: "warps", sl: "sigma-l", sc: "sigma-c", gpu: "gpu", lb: "loop-bounds", text: "text" };
const TABS = { time: "tab-time", string: "tab-string" };

/** What was declared of listings that were here before, for when one of them comes back. */
const before = new Map();

/** Puts the state into the address. */
function put() {
  const { hash, fits } = write(state, packed.text === state.text ? packed.as : undefined);
  try {
    history.replaceState(null, "", hash);
  } catch {
    return false; // A browser may refuse an address that is too long, or too many changes of it.
  }
  return fits;
}

/** Compresses the listing for the address. */
async function fold() {
  const { text } = state;
  if (packed.text !== text) {
    const as = await pack(text);
    if (state.text !== text) return;
    packed = { text, as };
  }
  const fits = put();
  for (const id of ["listing-note", "launch-note"]) say($(id), fits ? "" : "This listing is too long for a link: the link leaves it out.");
}

/** Whether a text is another listing than the one before, and not a change of it: declarations are of one listing alone. */
function isOther(old, text) {
  const longest = Math.max(old.length, text.length);
  let [head, tail] = [0, 0];
  while (head < longest && old[head] === text[head]) head++;
  while (tail < longest - head && old.at(-1 - tail) === text.at(-1 - tail)) tail++;
  return 2 * (head + tail) < longest;
}

/** The changes by which another listing takes the place of the one that is there. */
const replaced = (text, and) => another(state, text, before, and);

function capability() {
  return state.gpu === "" ? undefined : gpus.get(state.gpu)?.compute_capability ?? state.gpu;
}

/** Puts the state into the fields. */
function fill() {
  for (const [tab, id] of Object.entries(TABS)) {
    const isOpen = tab === state.tab;
    $(id).setAttribute("aria-selected", String(isOpen));
    $(id).tabIndex = isOpen ? 0 : -1;
    $($(id).getAttribute("aria-controls")).hidden = !isOpen;
  }
  launch.fill(state, gpus);
  for (const [key, id] of [...Object.entries(OF_STRINGS), ...Object.entries(launch.FIELDS)]) {
    const field = $(id);
    if (field.type === "checkbox") field.checked = state[key] !== "";
    else if (field.value !== state[key]) field.value = state[key];
  }
  for (const id of ["sigma-l", "sigma-c"]) $(id).disabled = state.gpu !== "";
  if (state.gpu !== "" && gpus.has(state.gpu)) {
    const { sigma_l, sigma_c } = gpus.get(state.gpu).multiprocessor;
    $("sigma-l").value = sigma_l;
    $("sigma-c").value = sigma_c;
  }
  for (const id of ["source", "launch-source"]) $(id).value = state.src;
  const example = KERNELS.findIndex((one) => one.k === state.k && one.w === state.w && (one.sl ?? "1") === state.sl && (one.sc ?? "1") === state.sc && state.gpu === "");
  $("example").value = example < 0 ? "" : String(example);
}

/** Takes a change over, and answers when the user pauses. */
function change(changes, soon = true) {
  state = { ...state, ...changes };
  isSliding = false;
  if ("k" in changes || "w" in changes || "gpu" in changes || "sl" in changes || "sc" in changes) state.t = "1";
  if ("text" in changes) fold();
  put();
  fill();
  clearTimeout(timer);
  timer = setTimeout(answer, soon ? 150 : 0);
}

function fail(message) {
  say($("error"), message);
  const about = /^(warps|sigma L|sigma C)/.exec(message)?.[1];
  const field = { "warps": "warps", "sigma L": "sigma-l", "sigma C": "sigma-c" }[about] ?? "kernel";
  for (const id of ["kernel", "warps", "sigma-l", "sigma-c"]) $(id).toggleAttribute("aria-invalid", false);
  if (message) $(field).setAttribute("aria-invalid", "true");
}

/** Answers the question of the tab that is open. */
async function answer() {
  const mine = ++turn;
  cancel();
  const old = () => mine !== turn;
  await (state.tab === "time" ? launch.answer(old) : worst(old));
}

/** The worst case of a kernel string, the quick parts first. What is known stays, whatever becomes of the rest. */
async function worst(old) {
  const busy = (is) => {
    $("answer").setAttribute("aria-busy", String(is));
    $("busy").hidden = !is;
  };
  let done;
  let solve;
  let asked;
  try {
    asked = question(state, capability());
    shown = { kernel: state.k.toUpperCase().replace(/[\s_]/g, ""), warps: asked.warps };
    busy(true);
    const bounds = await ask({ command: "bound", ...asked, up_to: 4, seconds: SOON });
    if (old()) return;
    fail("");
    shows.bounds(bounds, shown);
    solve = async (seconds) => {
      const solved = await ask({ command: "solve", ...asked, with_schedule: true, seconds });
      if (old()) return true;
      shows.answer(solved, bounds, shown);
      stepper.show(shown.worst, shown.bestReplay, Number(state.t) || 1);
      judge();
      return solved.record.stop !== "time-limit";
    };
    done = await solve(SOON);
    if (old()) return;
  } catch (error) {
    if (error instanceof Cancelled || old()) return;
    busy(false);
    fail(error.message);
    shows.nothing();
    stepper.show(undefined, undefined, 1);
    await listing.show(state, use);
    return;
  }
  /** Something beside the answer: if it fails, its own place says so, and the answer stays. */
  const beside = async (does, failed) => {
    if (old()) return;
    try {
      await does();
    } catch (error) {
      if (!(error instanceof Cancelled) && !old()) failed(error.message);
    }
  };
  if (shown.worst) {
    await beside(async () => {
      const best = await ask({ command: "best", ...asked, seconds: SOON });
      if (old()) return;
      shows.best(best, shown);
      stepper.show(shown.worst, shown.bestReplay, Number(state.t) || 1);
      judge();
    }, shows.noBest);
    await beside(async () => {
      const played = await ask({ command: "simulate", ...asked, seconds: SOON / 3 });
      if (!old()) shows.policies(played);
    }, shows.noPolicies);
  }
  await beside(() => growth(asked, old), () => shows.growth(undefined, shown));
  if (!old()) await listing.show(state, use);
  if (!done) await beside(() => solve(LONG), () => {});
  if (!old()) busy(false);
}

/** The curve over the number of warps. */
async function growth(asked, old) {
  if (!isSliding || asked.warps > span) span = Math.max(64, 2 * asked.warps);
  const step = Math.max(1, Math.ceil(span / 48));
  const warps = new Set([asked.warps, span]);
  for (let w = 1; w <= span; w += step) warps.add(w);
  if (!shown.expanded) {
    shows.growth(undefined, shown);
    return;
  }
  const points = await ask({ command: "curve", ask: { ...asked }, warps: [...warps].sort((a, b) => a - b) });
  if (!old()) shows.growth(points, shown);
}

function judge() {
  const at = stepper.cycle;
  exercises.judge({ ...shown, cycle: shown.worst?.cycle(at) });
}

/** Takes an entry of a listing over as the kernel. */
function use(entry) {
  change({ k: entry.program, gpu: entry.compute_capability }, false);
  $("answer").focus();
  $("answer").scrollIntoView();
}

function prepare() {
  $("example").append(el("option", { value: "" }, "choose…"), ...KERNELS.map(({ name }, i) => el("option", { value: String(i) }, name)));
  for (const id of ["source", "launch-source"]) $(id).append(el("option", { value: "" }, "choose…"), ...LISTINGS.map(({ name, file }) => el("option", { value: file }, name)));
  exercises.write($("exercises"));
  $("question").addEventListener("submit", (event) => event.preventDefault());
  for (const [key, id] of [...Object.entries(OF_STRINGS), ...Object.entries(launch.FIELDS)]) {
    $(id).addEventListener("input", ({ inputType }) => {
      const field = $(id);
      const value = field.type === "checkbox" ? (field.checked ? "yes" : "") : field.value;
      if (key === "text") {
        const isNew = ["insertFromPaste", "insertFromDrop"].includes(inputType) || isOther(state.text, value);
        change({ ...(isNew ? replaced(value) : { text: value }), src: "" });
      } else change({ [key]: value, ...(key === "gpu" && value === "" ? { sl: "1", sc: "1" } : {}) });
    });
  }
  // The address is the state, so a link within the page would change it.
  $("skip").addEventListener("click", (event) => {
    event.preventDefault();
    $(state.tab === "time" ? "launch-answer" : "answer").focus();
  });
  $("launch").addEventListener("submit", (event) => event.preventDefault());
  for (const id of ["source", "launch-source"]) $(id).addEventListener("change", () => load($(id).value, true));
  const take = async ([file]) => {
    if (file) change({ ...replaced(await file.text()), src: "" }, false);
  };
  $("file").addEventListener("change", async () => {
    await take($("file").files);
    $("file").value = "";
  });
  for (const id of ["launch-text", "text"]) {
    $(id).addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    });
    $(id).addEventListener("drop", (event) => {
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      take(event.dataTransfer.files);
    });
  }
  $("gpus").addEventListener("toggle", () => change({}, false));
  $("launch-stop").addEventListener("click", () => {
    turn++;
    cancel();
    launch.stopped();
  });
  for (const [tab, id] of Object.entries(TABS)) $(id).addEventListener("click", () => change({ tab }, false));
  $("tabs").addEventListener("keydown", ({ key }) => {
    const names = Object.keys(TABS);
    const at = names.indexOf(state.tab);
    const to = { ArrowRight: names[(at + 1) % names.length], ArrowLeft: names.at(at - 1), Home: names[0], End: names.at(-1) }[key];
    if (!to) return;
    change({ tab: to }, false);
    $(TABS[to]).focus();
  });
  launch.prepare({ state: () => state, gpus: () => gpus, change });
  $("example").addEventListener("change", () => {
    const { k, w, sl = "1", sc = "1" } = KERNELS[Number($("example").value)] ?? KERNELS[0];
    change({ k, w, sl, sc, gpu: "" }, false);
  });
  $("slider").addEventListener("input", () => {
    change({ w: $("slider").value });
    isSliding = true;
  });
  $("stop").addEventListener("click", () => {
    turn++;
    cancel();
    $("busy").hidden = true;
    $("answer").setAttribute("aria-busy", "false");
  });
  for (const [copy, copied] of [["copy", "copied"], ["launch-copy", "launch-copied"]]) {
    $(copy).addEventListener("click", async () => {
      await fold();
      $(copied).textContent = await navigator.clipboard.writeText(location.href).then(() => "Copied.", () => location.href);
    });
  }
  addEventListener("hashchange", begin);
}

/** Reads an example of a listing from the folder of this page; one that was chosen comes with a launch. */
async function load(file, isChosen) {
  const example = LISTINGS.find((one) => one.file === file);
  if (!example) return;
  const response = await fetch(new URL(`listings/${file}`, import.meta.url));
  const text = await response.text();
  // The example is in the address by its name alone.
  if (isChosen) change({ ...replaced(text, { lb: example.loops, declared: JSON.stringify(example.declared ?? []) }), src: file, ...example.launch }, false);
  else state = { ...state, text };
}

/** Shows what the address holds; without one, an example of a launch. */
async function begin() {
  if (location.hash.length < 2) {
    await load(LISTINGS[0].file, true);
    change({ tab: "time" }, false);
    return;
  }
  const { state: held, broken } = await read(location.hash);
  state = held;
  await load(state.src, false);
  await fold();
  for (const id of ["listing-note", "launch-note"]) if (broken) say($(id), "The listing in this link cannot be read: want the link as it was copied, as a whole.");
  fill();
  clearTimeout(timer);
  await answer();
}

prepare();
fill();
try {
  const records = await ask({ command: "gpus" });
  gpus = new Map(records.map((record) => [record.name, record]));
  const group = (label, kind, text) => el("optgroup", { label }, ...records.filter((one) => one.kind === kind).map((one) => el("option", { value: one.name }, text(one))));
  $("gpu").append(group("GPUs", "preset", (one) => `${one.title ?? one.name}`), group("Compute capabilities", "compute-capability", (one) => one.name));
  $("on").append(...records.filter(({ kind }) => kind === "preset").map(({ name, title }) => el("option", { value: name }, title ?? name)));
} catch (error) {
  fail(`the page could not start: ${error.message}`);
}
await begin();
