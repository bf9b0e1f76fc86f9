// The page: what the user types becomes questions, and answers become what is shown.
import { $, el, say } from "./dom.js";
import { Cancelled, ask, cancel } from "./engine.js";
import { KERNELS, LISTINGS } from "./examples.js";
import * as exercises from "./exercises.js";
import * as listing from "./listing.js";
import * as shows from "./shows.js";
import { LONGEST, START, question, read, write } from "./state.js";
import { Stepper } from "./stepper.js";

/** Seconds that the searches may take: at first, so that all of the page is there soon, and then for a narrower interval. */
const SOON = 1.5;
const LONG = 20;

let state = read(location.hash);
let shown = {};
let gpus = new Map();
let turn = 0;
let timer;
/** The number of warps to which the slider goes; it stays while it is moved. */
let span = 64;
let isSliding = false;
const stepper = new Stepper((cycle) => {
  state.t = String(cycle);
  history.replaceState(null, "", write(state));
  judge();
});

const FIELDS = { k: "kernel", w: "warps", sl: "sigma-l", sc: "sigma-c", gpu: "gpu", lb: "loop-bounds", text: "text" };

function capability() {
  return state.gpu === "" ? undefined : gpus.get(state.gpu)?.compute_capability ?? state.gpu;
}

/** Puts the state into the fields. */
function fill() {
  for (const [key, id] of Object.entries(FIELDS)) if ($(id).value !== state[key]) $(id).value = state[key];
  for (const id of ["sigma-l", "sigma-c"]) $(id).disabled = state.gpu !== "";
  if (state.gpu !== "" && gpus.has(state.gpu)) {
    const { sigma_l, sigma_c } = gpus.get(state.gpu).multiprocessor;
    $("sigma-l").value = sigma_l;
    $("sigma-c").value = sigma_c;
  }
  $("source").value = state.src;
  const example = KERNELS.findIndex((one) => one.k === state.k && one.w === state.w && (one.sl ?? "1") === state.sl && (one.sc ?? "1") === state.sc && state.gpu === "");
  $("example").value = example < 0 ? "" : String(example);
}

/** Takes a change over, and answers when the user pauses. */
function change(changes, soon = true) {
  state = { ...state, ...changes };
  isSliding = false;
  if ("k" in changes || "w" in changes || "gpu" in changes || "sl" in changes || "sc" in changes) state.t = "1";
  history.replaceState(null, "", write(state));
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

/** Answers the question of the fields, the quick parts first. */
async function answer() {
  const mine = ++turn;
  cancel();
  const old = () => mine !== turn;
  const busy = (is) => {
    $("answer").setAttribute("aria-busy", String(is));
    $("busy").hidden = !is;
  };
  try {
    const asked = question(state, capability());
    shown = { kernel: state.k.toUpperCase().replace(/[\s_]/g, ""), warps: asked.warps };
    busy(true);
    const bounds = await ask({ command: "bound", ...asked, up_to: 4, seconds: SOON });
    if (old()) return;
    fail("");
    shows.bounds(bounds, shown);
    const solve = async (seconds) => {
      const solved = await ask({ command: "solve", ...asked, with_schedule: true, seconds });
      if (old()) return true;
      shows.answer(solved, bounds, shown);
      stepper.show(shown.worst, shown.bestReplay, Number(state.t) || 1);
      judge();
      return solved.record.stop !== "time-limit";
    };
    const done = await solve(SOON);
    if (old()) return;
    if (shown.worst) {
      shows.best(await ask({ command: "best", ...asked, seconds: SOON }), shown);
      if (old()) return;
      stepper.show(shown.worst, shown.bestReplay, Number(state.t) || 1);
      judge();
      shows.policies(await ask({ command: "simulate", ...asked, seconds: SOON / 3 }));
    }
    if (!old()) await growth(asked, old);
    if (!old()) await listing.show(state, capability(), use);
    if (!done && !old()) await solve(LONG);
    if (!old()) busy(false);
  } catch (error) {
    if (error instanceof Cancelled || old()) return;
    busy(false);
    fail(error.message);
    shows.nothing();
    stepper.show(undefined, undefined, 1);
    await listing.show(state, capability(), use);
  }
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
  $("source").append(el("option", { value: "" }, "choose…"), ...LISTINGS.map(({ name, file }) => el("option", { value: file }, name)));
  exercises.write($("exercises"));
  $("question").addEventListener("submit", (event) => event.preventDefault());
  for (const [key, id] of Object.entries(FIELDS)) {
    $(id).addEventListener("input", () => {
      const and = key === "text" ? { src: "" } : key === "gpu" && $(id).value === "" ? { sl: "1", sc: "1" } : {};
      change({ [key]: $(id).value, ...and });
      if (key === "text") note();
    });
  }
  $("example").addEventListener("change", () => {
    const { k, w, sl = "1", sc = "1" } = KERNELS[Number($("example").value)] ?? KERNELS[0];
    change({ k, w, sl, sc, gpu: "" }, false);
  });
  $("source").addEventListener("change", () => load($("source").value, true));
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
  $("copy").addEventListener("click", async () => {
    const copied = await navigator.clipboard.writeText(location.href).then(() => "Copied.", () => location.href);
    $("copied").textContent = copied;
  });
  addEventListener("hashchange", () => {
    state = read(location.hash);
    fill();
    load(state.src, false);
    answer();
  });
}

/** Says that a listing is too long for a link. */
function note() {
  say($("listing-note"), state.src === "" && state.text.length > LONGEST ? "This listing is too long for a link: the link leaves it out." : "");
}

/** Reads an example of a listing from the folder of this page. */
async function load(file, isChosen) {
  const example = LISTINGS.find((one) => one.file === file);
  if (!example) return;
  const response = await fetch(new URL(`listings/${file}`, import.meta.url));
  const text = await response.text();
  state = { ...state, src: file, lb: isChosen ? example.loops : state.lb };
  // The example is in the address by its name alone.
  history.replaceState(null, "", write({ ...state, text: "" }));
  state.text = text;
  fill();
  note();
  await listing.show(state, capability(), use);
}

prepare();
fill();
try {
  const records = await ask({ command: "gpus" });
  gpus = new Map(records.map((record) => [record.name, record]));
  const group = (label, kind, text) => el("optgroup", { label }, ...records.filter((one) => one.kind === kind).map((one) => el("option", { value: one.name }, text(one))));
  $("gpu").append(group("GPUs", "preset", (one) => `${one.title ?? one.name}`), group("Compute capabilities", "compute-capability", (one) => one.name));
} catch (error) {
  fail(`the page could not start: ${error.message}`);
}
fill();
await load(state.src, false);
await answer();
