// The same launch on the other GPUs, one after the other, once somebody opens the table.
import { $, el, say } from "./dom.js";
import { Cancelled, ask } from "./engine.js";
import * as words from "./time-words.js";

/** Shows the table for a question, if it is open. `old` says whether nobody wants it any more; `use` takes another GPU. */
export async function show(question, gpus, old, use) {
  const place = $("gpu-rows");
  place.replaceChildren();
  say($("gpus-left"), "");
  if (!$("gpus").open) return;
  const others = [...gpus.values()].filter(({ kind, name }) => kind === "preset" && name !== question.gpu);
  const refused = [];
  for (const [number, { name, title }] of others.entries()) {
    say($("gpus-left"), `${number} of ${others.length}`);
    try {
      const record = await ask({ ...question, gpu: name });
      if (old()) return;
      place.append(row(record, title ?? name, () => use(name)));
    } catch (error) {
      if (error instanceof Cancelled || old()) return;
      refused.push([title ?? name, words.inFields(error.message)]);
    }
  }
  // Most are refused for one and the same reason, such as a listing of another capability.
  const reason = (what) => what.replace(/capability [\d.]+, and a GPU of [\d.]+/, "another capability, and a GPU of this one").replace(/listing for [\d.]+$/, "listing for it");
  const by = Map.groupBy ? Map.groupBy(refused, ([, what]) => reason(what)) : new Map(refused.map((one) => [reason(one[1]), [one]]));
  for (const [what, all] of by) {
    place.append(el("tr", {}, el("td", {}, all.map(([name]) => name).join(", ")), el("td", { colspan: 3, class: "refused" }, what)));
  }
  say($("gpus-left"), "");
}

function row(record, title, show) {
  const judged = words.verdict(record.verdict);
  const button = el("button", { type: "button" }, "Show");
  button.addEventListener("click", show);
  const rests = el("details", {}, el("summary", {}, "rests on"), el("ul", { class: "small" }, ...words.rows(record).map((what) => el("li", {}, what))),
    el("p", {}, "It does not cover:"), el("ul", { class: "small" }, ...record.not_covered.map((what) => el("li", {}, what))));
  const of = record.verdict === "proved" ? "proved on" : "the bound rests on";
  const condition = record.bound_ns !== null ? `${of} ${words.restsOn(record.assumptions)}` : record.reason ?? "";
  return el("tr", {}, el("td", {}, title, " ", button), el("td", { class: "number" }, record.bound_ns === null ? "no bound" : el("strong", {}, words.time(record.bound_ns))),
    el("td", { class: judged?.kind ?? "" }, judged?.word ?? ""), el("td", {}, words.inFields(condition), rests));
}
