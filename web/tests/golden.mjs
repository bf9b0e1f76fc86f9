// The module in the page gives the numbers of the command line, on all instance files and some listings.
// WARPSPAN is the native program.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { start } from "../page/module.js";
import { Replay } from "../page/schedule.js";

const root = join(import.meta.dirname, "../..");
const native = process.env.WARPSPAN;
const compiled = await WebAssembly.compile(readFileSync(join(root, "target/web/warpspan.wasm")));
const module = await start(compiled);

/** The record of the command line; null if it refuses. */
function line(...args) {
  const options = { cwd: root, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] };
  let out;
  try {
    out = execFileSync(native, [...args, "--format", "json"], options);
  } catch (error) {
    if (error.status !== 3) return null; // 3 says that an answer is an interval
    out = error.stdout;
  }
  return JSON.parse(out.trim().split("\n")[0]);
}

/** The record of `time` for the listing of the tutorial, whatever its exit code says of the deadline. */
function timed(...flags) {
  const args = ["time", "docs/tutorial/conv.sm_87.sass", "--gpu", "jetson-orin", ...flags, "--format", "json"];
  return JSON.parse(spawnSync(native, args, { cwd: root, encoding: "utf8" }).stdout);
}

/** What the command line says where it refuses. */
function refusal(...args) {
  const { status, stderr } = spawnSync(native, args, { cwd: root, encoding: "utf8" });
  assert.equal(status, 2);
  return stderr;
}

/** What two records have to agree on: all but places, words, the command line, times, and what needs HiGHS. */
function numbers({ file: _, line: __, notes: ___, seconds: ____, model: _____, arguments: ______, build: _______, command: ________, inputs: _________, ...record }) {
  // What would do about an assumption is said in the words of each front end.
  const assumptions = record.assumptions?.map(({ remedy: _, ...assumption }) => assumption);
  return { ...record, assumptions, checks: record.checks?.filter(({ by }) => by !== "ilp") };
}

function same(question, expected, what) {
  const { ok, error } = module.call(question);
  assert.equal(error, undefined, what);
  const record = ok.record ?? ok;
  assert.deepEqual(numbers(record), numbers(expected), what);
  return ok;
}

/** The page's own replay of a schedule finds nothing that the rules forbid. */
function replayed(answer, what) {
  const { record, expanded } = answer;
  if (expanded && record.schedule) {
    const replay = new Replay(expanded, record.schedule);
    assert.equal(replay.cycles, record.lower, what);
    for (let cycle = 1; cycle <= replay.cycles; cycle++) assert.ok(replay.allowed(cycle), `${what}, cycle ${cycle}`);
    cycles += replay.cycles;
  }
  return answer;
}

const files = readdirSync(join(root, "instances")).filter((name) => name.endsWith(".toml"));
let [solved, bounded, simulated, cycles] = [0, 0, 0, 0];
const refused = [];
for (const name of files) {
  const path = join("instances", name);
  const file = readFileSync(join(root, path), "utf8");
  const expected = line("solve", path, "--with-schedule", "--threads", "1", "--memory-limit", "1GiB");
  if (!expected) {
    // It is no instance, such as a file for rta; the module has to say so too.
    assert.ok(module.call({ command: "solve", file }).error, name);
    refused.push(name);
    continue;
  }
  const { expanded } = replayed(same({ command: "solve", file, with_schedule: true }, expected, `solve ${name}`), name);
  solved++;
  const bound = line("bound", path, "--threads", "1");
  const terms = bound.bounds.find((row) => row.terms)?.terms.length;
  same({ command: "bound", file, up_to: terms }, bound, `bound ${name}`);
  bounded++;
  const played = expanded && line("simulate", path, "--threads", "1");
  if (played) {
    // The page plays the policies alone.
    const runs = played.runs.filter(({ policy }) => policy !== "worst");
    const ofRuns = played.numbers.filter((number) => number.name !== "makespan of worst");
    same({ command: "simulate", file }, { ...played, runs, numbers: ofRuns }, `simulate ${name}`);
    simulated++;
  }
}
assert.ok(solved >= 25, `only ${solved} instances were solved; refused: ${refused.join(" ")}`);

// What no instance file has: barriers, several kernels, ratios, programs, a grid, a machine.
for (const question of [
  { kernel: "LLC|CLL", warps: 4 }, { kernel: "LC|CCL|L", warps: 6, warps_per_block: 3 }, { kernel: "LLC|CL", warps: 5, sigma_c: "2" },
  { groups: [{ kernel: "LLC", warps: 3 }, { kernel: "CCL", warps: 2 }] }, { kernel: "LLCL", warps: 7, compute_capability: "8.7" },
  { kernel: "LLLLCCCC", warps: 30, sigma_c: "2" }, { kernel: "C(LLC)1..4{LC/C}", warps: 4 },
  { kernel: "LLCLL", warps_per_block: 2, blocks: 5, resident: 2 }, { kernel: "<SHARED,FP32,SFU>", warps: 3, machine: "jetson-orin" },
]) {
  const flags = Object.entries(question).flatMap(([key, value]) => key === "groups"
    ? value.flatMap(({ kernel, warps }) => ["--group", `${kernel}:${warps}`]) : [`--${key.replaceAll("_", "-")}`, String(value)]);
  const expected = line("solve", ...flags, "--with-schedule", "--threads", "1", "--memory-limit", "1GiB");
  assert.ok(expected, JSON.stringify(question));
  replayed(same({ command: "solve", ...question, with_schedule: true }, expected, JSON.stringify(question)), JSON.stringify(question));
  solved++;
}

// Listings: one SASS file with a loop bound, and every entry of a PTX file.
const listings = [
  ["docs/tutorial/conv.sm_87.sass", ".L_x_2=3"],
  ["tests/data/code/flow.ptx", ""],
  ["tests/data/listing/samples/template-float.ptx", ""],
];
/** A message names what would mend it in words of the page, not by a flag. */
const bare = (all) => all.map(({ remedy, ...one }) => one);
const plain = (entry) => ({ ...entry, assumptions: bare(entry.assumptions), structure_error: !!entry.structure_error, bound_error: !!entry.bound_error,
  ...(entry.machine && { machine: { ...entry.machine, structure_error: !!entry.machine.structure_error, bound_error: !!entry.machine.bound_error, assumptions: bare(entry.machine.assumptions), notes: entry.machine.notes?.length } }) });
for (const [path, loop] of listings) {
  const flags = loop ? ["--loop-bound", loop] : [];
  const expected = line("extract", path, "--warps", "8", ...flags);
  const listing = readFileSync(join(root, path), "utf8");
  const { ok } = module.call({ command: "extract", listing, warps: 8, loop_bounds: loop ? [loop] : [] });
  assert.deepEqual(ok.entries.map(plain), expected.entries.map(plain), path);
}

// On the machine of a GPU that is named; in the paper's model only where the program knows no machine, which the page then says.
const conv = readFileSync(join(root, listings[0][0]), "utf8");
const ofGpu = { command: "extract", listing: conv, warps: 8, loop_bounds: [".L_x_2=3"] };
const onOrin = module.call({ ...ofGpu, gpu: "jetson-orin" }).ok;
const expectedOn = line("extract", listings[0][0], "--warps", "8", "--loop-bound", ".L_x_2=3", "--machine", "jetson-orin");
assert.deepEqual(onOrin.entries.map(plain), expectedOn.entries.map(plain));
assert.ok(onOrin.entries[0].machine.bound && !onOrin.entries[0].bound);
const onPaper = module.call({ ...ofGpu, compute_capability: "8.7" }).ok;
const expectedPaper = line("extract", listings[0][0], "--warps", "8", "--loop-bound", ".L_x_2=3", "--compute-capability", "8.7");
assert.deepEqual(onPaper.entries.map(plain), expectedPaper.entries.map(plain));
assert.equal(onPaper.condition, ", in the paper's model: no latencies");

// The time of a launch is the record of the command line, word by word but for the name of the listing.
const place = "the listing";
const launches = [
  [{ grid: "60x135", block: "32x8", loop_bounds: [".L_x_2=3"], dram_bytes: "50MB:lines", deadline: "10ms" },
    ["--grid", "60x135", "--block", "32x8", "--loop-bound", ".L_x_2=3", "--dram-bytes", "50MB:lines", "--deadline", "10ms"]],
  [{ grid: "100", block: "256", loop_bounds: [".L_x_2=3"], clock: "900..1300", deadline: "1us", copy_in: "2us", launch_overhead: "3us", alone: true },
    ["--grid", "100", "--block", "256", "--loop-bound", ".L_x_2=3", "--clock", "900..1300", "--deadline", "1us", "--copy-in", "2us", "--launch-overhead", "3us", "--alone"]],
  [{ grid: "60x135", block: "32x8", loop_bounds: [".L_x_2=3"], params: ["pointers=*256"], dram_rate: "70%", registers: "40", dynamic_shared: "1024" },
    ["--grid", "60x135", "--block", "32x8", "--loop-bound", ".L_x_2=3", "--param", "pointers=*256", "--dram-rate", "70%", "--registers", "40", "--dynamic-shared", "1024"]],
];
for (const [question, flags] of launches) {
  const { schema: _, version: __, arguments: ___, file: ____, build: b1, command: c1, inputs: i1, ...expected } = timed(...flags);
  const { ok, error } = module.call({ command: "time", listing: conv, gpu: "jetson-orin", ...question });
  assert.equal(error, undefined);
  const { schema, version: _____, file, build: b2, inputs: i2, ...found } = ok.record;
  // Whatever the record rests on is told.
  const told = ok.html.replace(/&(lt|gt|quot|amp);/g, (_____, name) => ({ lt: "<", gt: ">", quot: '"', amp: "&" })[name]);
  for (const { subject, value, id } of found.assumptions) assert.ok(told.includes(`${subject}: ${value}`) && told.includes(`[${id}`), id);
  for (const one of [...found.notes, ...found.not_covered]) assert.ok(told.includes(one), one);
  assert.equal(file, place);
  assert.match(schema, /^warpspan\/time\//);
  assert.deepEqual(found, expected, flags.join(" "));
}

// An error names what is missing, in words and as data; the labels are those of the message of the command line.
const open = module.call({ command: "time", listing: conv, gpu: "jetson-orin", grid: "100", block: "256" });
assert.match(open.error, /\.L_x_2/);
assert.ok(!open.error.includes("--"), open.error);
const stderr = refusal("time", listings[0][0], "--gpu", "jetson-orin", "--grid", "100", "--block", "256");
const flagged = [...stderr.matchAll(/--(loop-bound|param|uniform) '?([^ '=]+)/g)].map(([, flag, name]) => `${flag} ${name}`);
const FLAG = { "loop-bounds": "loop-bound", "params": "param", "uniform": "uniform" };
const missing = open.missing.flatMap(({ what, names }) => names.map((name) => `${FLAG[what]} ${name}`));
assert.ok(missing.length > 0);
for (const one of missing) assert.ok(flagged.includes(one), `${one} is not in ${stderr}`);
const several = readFileSync(join(root, "tests/data/code/flow.ptx"), "utf8");
const which = module.call({ command: "time", listing: several, gpu: "jetson-orin", grid: "100", block: "256" });
assert.ok(which.missing.some(({ what, names }) => what === "entry" && names.length > 1), JSON.stringify(which));
const stale = module.call({ command: "time", listing: conv, gpu: "jetson-orin", grid: "100", block: "256", loop_bounds: [".L_x_2=3", "NO=4"] });
assert.deepEqual(stale.missing, [{ what: "stale", names: "loop-bounds" }]);
for (const wrong of [{ grid: "" }, { block: "2000" }, { gpu: "none" }, { deadline: "5" }, { clock: "0" }, { dram_bytes: "much" }, { registers: "0" }, { listing: "" }]) {
  const { error } = module.call({ command: "time", listing: conv, gpu: "jetson-orin", grid: "100", block: "256", loop_bounds: [".L_x_2=3"], ...wrong });
  assert.equal(typeof error, "string", JSON.stringify(wrong));
  assert.ok(!error.includes("\n"), error);
}

// The numbers of a curve are those of each point by itself.
const warps = [1, 2, 3, 7, 600];
const curve = module.call({ command: "curve", ask: { kernel: "LLCLL" }, warps }).ok;
assert.deepEqual(curve.map(({ upper, exact }) => [upper, exact]), warps.map((w) => {
  const { record } = module.call({ command: "solve", kernel: "LLCLL", warps: w }).ok;
  return [record.upper, true];
}));

// The clock that is passed in ends a search; without one this would not come back.
const hard = { kernel: "LCCCLLCCCCCLLLCC", warps: 40, sigma_c: "4" };
const stopped = module.call({ command: "solve", ...hard, seconds: 0.2 }).ok.record;
assert.equal(stopped.stop, "time-limit");
assert.ok(stopped.lower < stopped.upper);

// Messages, not panics: whatever is asked.
for (const question of [
  {}, { command: "solve" }, { command: "solve", kernel: "LXC", warps: 4 }, { command: "solve", kernel: "LC", warps: 0 },
  { command: "solve", kernel: "LC", warps: 4, sigma_l: "2/3" }, { command: "solve", kernel: "((((", warps: 4 },
  { command: "solve", kernel: "L999999999999", warps: 4 }, { command: "extract", listing: "garbage {", warps: 4 },
  { command: "best", kernel: "C(LLC)1..4{LC/C}", warps: 4 }, { command: "solve", kernel: `${"(".repeat(100000)}L`, warps: 4 },
]) {
  const { error } = module.call(question);
  assert.equal(typeof error, "string", JSON.stringify(question).slice(0, 100));
  assert.ok(!error.includes("\n") && !error.includes("--"), error);
}

console.log(`golden: ${solved} instances solved, ${bounded} bounded, ${simulated} simulated as the command line does; ` +
  `${cycles} cycles replayed; ${refused.length} files are no instance of the page: ${refused.join(" ")}`);
