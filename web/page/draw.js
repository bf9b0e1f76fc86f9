// Drawings: a window of a schedule around one cycle, and the curve over the number of warps.
import { svg } from "./dom.js";

const CELL = 22;
const MOST_ROWS = 16;

/** The part of a schedule around a cycle, as wide as its place. */
export function schedule(place, replay, cycle, what) {
  const digits = Math.max(4, String(replay.warps.at(-1).name).length);
  const left = 12 + 8 * (digits + 5);
  const width = Math.max(place.clientWidth, 240);
  const columns = Math.max(4, Math.min(replay.cycles, Math.floor((width - left - 2) / CELL)));
  const first = Math.max(1, Math.min(cycle - Math.floor(columns / 2), replay.cycles - columns + 1));
  const rows = shown(replay, Math.min(cycle, replay.cycles));
  const height = 24 + rows.length * CELL + 4;
  const drawing = svg("svg", {
    width: left + columns * CELL + 2, height, viewBox: `0 0 ${left + columns * CELL + 2} ${height}`, role: "img",
    "aria-label": `${what}: cycles ${first} to ${first + columns - 1} of ${replay.cycles}, ${rows.length} of ${replay.warps.length} warps; the sentences below say what happens in the cycle that is marked`,
  });
  if (cycle <= replay.cycles) {
    drawing.append(svg("rect", { class: "now", x: left + (cycle - first) * CELL, y: 0, width: CELL, height }));
  }
  for (let i = 0; i < columns; i++) {
    const number = first + i;
    const every = replay.cycles > 99 ? 5 : replay.cycles > 30 ? 2 : 1;
    if (number % every && number !== cycle && number !== 1) continue;
    if (number !== cycle && Math.abs(number - cycle) < (replay.cycles > 99 ? 2 : 1)) continue;
    drawing.append(svg("text", { class: "soft", x: left + (i + .5) * CELL, y: 14, "text-anchor": "middle" }, String(number)));
  }
  rows.forEach((warp, row) => {
    const y = 24 + row * CELL;
    const before = rows[row - 1];
    if (before && before.number + 1 !== warp.number) drawing.append(svg("line", { class: "grid", x1: 0, x2: left + columns * CELL, y1: y, y2: y, "stroke-dasharray": "3 3" }));
    drawing.append(svg("text", { x: left - 8, y: y + 15, "text-anchor": "end" }, `warp ${warp.name}`));
    for (let i = 0; i < columns; i++) {
      const { does, letter } = replay.state(warp, first + i);
      if (does === "done") break;
      const kind = does === "issues" ? letter : does === "waits" ? "wait" : "held";
      const sign = does === "barrier" ? "|" : letter;
      if (kind !== "held") drawing.append(svg("rect", { class: kind, x: left + i * CELL + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 3 }));
      drawing.append(svg("text", { class: `on-${kind}`, x: left + (i + .5) * CELL, y: y + 15, "text-anchor": "middle" }, sign));
    }
  });
  place.replaceChildren(drawing);
}

/** The warps that are drawn: all if they are few, else those near one that issues now, and always the last to finish. */
function shown(replay, cycle) {
  const all = replay.warps;
  if (all.length <= MOST_ROWS) return all;
  const issuing = replay.at.get(cycle)?.find(({ warp }) => warp !== replay.last)?.warp ?? replay.last;
  const from = Math.max(0, Math.min(issuing.number - 1 - MOST_ROWS / 2, all.length - MOST_ROWS + 1));
  const rows = all.slice(from, from + MOST_ROWS - 1).filter((warp) => warp !== replay.last);
  rows.push(replay.last);
  return rows.sort((a, b) => a.number - b.number);
}

/** T(W), the pessimistic line and the lower bound. */
export function curve(place, points, warps) {
  const width = Math.max(place.clientWidth, 240);
  const height = Math.min(320, Math.max(200, width / 3));
  const [left, bottom, top, right] = [56, 28, 12, 12];
  const most = Math.max(...points.map(({ upper, pessimistic }) => Math.max(upper, pessimistic)));
  const last = points.at(-1).warps;
  const x = (w) => left + (width - left - right) * (last === 1 ? 0 : (w - 1) / (last - 1));
  const y = (cycles) => height - bottom - (height - bottom - top) * cycles / most;
  const drawing = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": "curve-says" });
  for (const share of [0, .25, .5, .75, 1]) {
    const value = Math.round(most * share);
    drawing.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      svg("text", { class: "soft", x: left - 6, y: y(value) + 4, "text-anchor": "end" }, String(value)));
    const w = Math.round(1 + (last - 1) * share);
    drawing.append(svg("text", { class: "soft", x: x(w), y: height - 8, "text-anchor": share === 1 ? "end" : "middle" }, String(w)));
  }
  const line = (name, of) => svg("polyline", { class: name, points: points.map((p) => `${x(p.warps)},${y(of(p))}`).join(" ") });
  drawing.append(line("lower", (p) => p.lower), line("pessimistic", (p) => p.pessimistic), line("upper", (p) => p.upper));
  const now = points.find((point) => point.warps === warps);
  if (now) drawing.append(svg("circle", { class: "mark", cx: x(now.warps), cy: y(now.upper), r: 5 }));
  drawing.append(svg("text", { class: "label-pessimistic", x: left + 8, y: top + 12 }, "- - pessimistic (Be12 Eq. 5-7)"),
    svg("text", { class: "label-upper", x: left + 8, y: top + 28 }, points.every(({ exact }) => exact) ? "— worst case T(W)" : "— at most"),
    svg("text", { class: "soft", x: left + 8, y: top + 44 }, "··· at least"));
  place.replaceChildren(drawing);
}
