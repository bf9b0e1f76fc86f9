// Stepping through the worst and the best schedule together.
import { $, el, say } from "./dom.js";
import { schedule as draw } from "./draw.js";
import { sentences } from "./schedule.js";

/** The two schedules and the cycle that is looked at. `moved` hears of each change of the cycle. */
export class Stepper {
  constructor(moved) {
    this.moved = moved;
    this.cycle = 1;
    const to = (id, where) => $(id).addEventListener("click", () => this.go(where()));
    to("first", () => 1);
    to("back", () => this.cycle - 1);
    to("next", () => this.cycle + 1);
    to("end", () => this.most);
    $("cycle").addEventListener("input", () => this.go(Number($("cycle").value)));
    $("stepper").addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe($("worst"));
  }

  get most() {
    return Math.max(this.worst?.cycles ?? 1, this.best?.cycles ?? 1);
  }

  key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
    const isSlider = event.target === $("cycle"); // it has keys of its own
    if (!(event.key in steps) || isSlider || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.go(this.cycle + steps[event.key]);
  }

  /** Shows other schedules; a schedule may be missing. */
  show(worst, best, cycle) {
    this.worst = worst;
    this.best = best;
    $("stepper").hidden = !worst;
    $("cycle").max = this.most;
    this.go(cycle, true);
  }

  go(cycle, quietly = false) {
    this.cycle = Math.min(Math.max(1, cycle), this.most);
    this.draw();
    if (!quietly) this.moved(this.cycle);
  }

  draw() {
    if (!this.worst) return;
    $("cycle").value = this.cycle;
    $("at").textContent = `${this.cycle} of ${this.most}`;
    $("cycle").setAttribute("aria-valuetext", `cycle ${this.cycle} of ${this.most}`);
    $("first").disabled = $("back").disabled = this.cycle === 1;
    $("next").disabled = $("end").disabled = this.cycle === this.most;
    for (const which of ["worst", "best"]) {
      const replay = this[which];
      if (!replay) {
        $(which).replaceChildren();
        say($(`${which}-says`), "");
        continue;
      }
      draw($(which), replay, this.cycle, `${which} schedule`);
      const over = this.cycle > replay.cycles;
      const said = over ? [`Cycle ${this.cycle}: all warps have finished, in cycle ${replay.cycles}.`] : sentences(replay, this.cycle);
      $(`${which}-says`).hidden = false;
      $(`${which}-says`).replaceChildren(...said.map((text, i) => el("p", {}, i === 0 && !over ? `Cycle ${this.cycle}. ${text}` : text)));
    }
  }
}
