// What stays and what goes when another listing takes the place of the one that is there. It needs no browser.
import assert from "node:assert/strict";
import { FIELDS } from "../page/time.js";
import { OF_LISTING, START, replaced } from "../page/state.js";

/** What is said of the GPU, of its memory, of what else runs there, and of the question: true of any listing. */
const STAYS = ["on", "machine", "clock", "multiprocessors", "dram-rate", "dram-spread", "dram-clock", "dram-others", "host-memory", "overclocked", "launch-overhead", "alone", "grid", "block", "deadline"];

// Each field is one or the other, so that nobody forgets a new one.
for (const key of Object.keys(FIELDS).filter((key) => key !== "text")) {
  assert.notEqual(key in OF_LISTING, STAYS.includes(key), `${key}: of the listing, or not?`);
}

const example = { ...START, text: "the example", lb: "LOOP=3", declared: '[["loop-bounds","LOOP","3"]]', "dram-bytes": "50MB:lines", registers: "32", "copy-in": "1us", "dram-rate": "70%", grid: "60" };
const before = new Map();
const mine = { ...example, ...replaced(example, "mine", before) };
for (const key of Object.keys(OF_LISTING)) assert.equal(mine[key], START[key], `${key} of the example is declared of another listing`);
assert.deepEqual([mine.text, mine["dram-rate"], mine.grid], ["mine", "70%", "60"]);
assert.deepEqual({ ...mine, ...replaced({ ...mine, "l2-bytes": "1MB" }, "the example", before) }, example, "what was declared of a listing comes back with it");
assert.equal(replaced(example, "mine", before)["l2-bytes"], "1MB");
console.log("state: what is declared of a listing goes with it");
