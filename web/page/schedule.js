// What happens in each cycle of a schedule: who issues, who is ready and waits for which unit, and whether that is allowed.
// It is worked out here from the schedule and the kernels alone, by the rules of the model.

/** A schedule that can be looked at cycle by cycle. `expanded` has groups (kernel, warps), sigma_l, sigma_c. */
export class Replay {
  constructor(expanded, issues) {
    this.sigma = { L: expanded.sigma_l, C: expanded.sigma_c };
    this.warps = [];
    const first = [];
    expanded.groups.forEach(({ kernel, warps }, group) => {
      first.push(this.warps.length);
      const segments = kernel.split("|");
      const letters = segments.join("");
      let end = 0;
      const ends = segments.map((segment) => (end += segment.length));
      const block = expanded.warps_per_block ?? warps;
      for (let warp = 0; warp < warps; warp++) {
        const number = this.warps.length + 1;
        const name = expanded.groups.length > 1 ? `${group + 1}.${warp + 1}` : `${warp + 1}`;
        this.warps.push({ number, name, letters, ends, block: `${group}/${Math.floor(warp / block)}`, cycles: [] });
      }
    });
    this.at = new Map();
    this.cycles = 0;
    for (const { cycle, group, warp, unit } of issues) {
      const one = this.warps[first[group - 1] + warp - 1];
      one.cycles.push(cycle);
      if (!this.at.has(cycle)) this.at.set(cycle, []);
      this.at.get(cycle).push({ warp: one, unit });
      this.cycles = Math.max(this.cycles, cycle);
    }
    for (const warp of this.warps) warp.cycles.sort((a, b) => a - b);
    this.blocks = new Map();
    for (const warp of this.warps) {
      if (!this.blocks.has(warp.block)) this.blocks.set(warp.block, []);
      this.blocks.get(warp.block).push(warp);
    }
    // The warp that finishes last is the one that the schedule delays.
    this.last = this.warps.reduce((a, b) => ((b.cycles.at(-1) ?? 0) >= (a.cycles.at(-1) ?? 0) ? b : a));
  }

  /** How many letters a warp has issued before a cycle. */
  static done(warp, cycle) {
    let [low, high] = [0, warp.cycles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (warp.cycles[middle] < cycle) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether a warp that has issued so many letters has to wait for others of its block at a barrier. */
  held(warp, done, cycle) {
    const segment = warp.ends.indexOf(done);
    if (segment < 0 || done >= warp.letters.length || warp.ends.length === 1) return false;
    // Warps of fewer segments have left before later barriers.
    return this.blocks.get(warp.block).some((other) =>
      segment < other.ends.length && Replay.done(other, cycle) < other.ends[segment]);
  }

  /** What one warp does in a cycle: `issues`, `waits`, `barrier` or `done`, and the letter. */
  state(warp, cycle) {
    const done = Replay.done(warp, cycle);
    if (done >= warp.letters.length) return { does: "done", letter: "" };
    const letter = warp.letters[done];
    if (warp.cycles[done] === cycle) return { does: "issues", letter };
    return { does: this.held(warp, done, cycle) ? "barrier" : "waits", letter };
  }

  /** What happens in a cycle: for each unit who issues and who waits; who stands at a barrier, who is done. */
  cycle(cycle) {
    const found = { L: { issues: [], waits: [] }, C: { issues: [], waits: [] }, barrier: [], done: [] };
    for (const warp of this.warps) {
      const { does, letter } = this.state(warp, cycle);
      if (does === "issues" || does === "waits") found[letter][does].push(warp);
      else found[does].push(warp);
    }
    return found;
  }

  /** Whether the rules allow a cycle: no unit takes more than it can, and nobody waits for a unit that is not full. */
  allowed(cycle) {
    const found = this.cycle(cycle);
    return ["L", "C"].every((unit) => {
      const { issues, waits } = found[unit];
      return issues.length <= this.sigma[unit] && (waits.length === 0 || issues.length === this.sigma[unit]);
    });
  }
}

/** Warps by name, with runs of neighbours in short: `warps 1 and 3 to 5`. */
export function names(warps) {
  const parts = [];
  for (let i = 0; i < warps.length;) {
    let j = i;
    while (j + 1 < warps.length && warps[j + 1].number === warps[j].number + 1) j++;
    if (j > i + 1) parts.push(`${warps[i].name} to ${warps[j].name}`);
    else parts.push(...warps.slice(i, j + 1).map(({ name }) => name));
    i = j + 1;
  }
  const shown = parts.length > 8 ? [...parts.slice(0, 8), "others"] : parts;
  const listed = shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : shown[0];
  return `${warps.length === 1 ? "warp" : "warps"} ${listed}`;
}

const UNITS = { L: "load/store units (L)", C: "CUDA cores (C)" };

/** A cycle in sentences. */
export function sentences(replay, cycle) {
  const found = replay.cycle(cycle);
  const out = [];
  for (const unit of ["L", "C"]) {
    const { issues, waits } = found[unit];
    const sigma = replay.sigma[unit];
    const takes = `${sigma} a cycle`;
    const verb = (list, one, many) => (list.length === 1 ? one : many);
    if (issues.length === 0) {
      out.push(`The ${UNITS[unit]} rest: no warp is ready for them.`);
    } else if (waits.length === 0) {
      const room = issues.length < sigma ? `, with room for ${sigma - issues.length} more` : "";
      out.push(`The ${UNITS[unit]} serve ${names(issues)}${room}; nobody waits for them.`);
    } else {
      out.push(`The ${UNITS[unit]} serve ${names(issues)} and are full (${takes}), so ${names(waits)} ` +
        `${verb(waits, "is", "are")} ready and ${verb(waits, "waits", "wait")}. The scheduler may do this: ` +
        "a ready warp may wait while its unit is full, and which of the ready warps goes first is free.");
    }
  }
  if (found.barrier.length > 0) {
    out.push(`At the barrier, until the last warp of the block has come to it: ${names(found.barrier)}.`);
  }
  if (found.done.length > 0) out.push(`Finished: ${names(found.done)}.`);
  if (!replay.allowed(cycle)) out.push("This cycle breaks the rules of the model. Please report it: it is an error of this page.");
  return out;
}
