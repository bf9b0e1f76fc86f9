// The same launch on the other GPUs, one after the other, once somebody opens the table.
import { $, el, say } from "./dom.js";
import { Cancelled, ask } from "./engine.js";

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
      const found = await ask({ ...question, gpu: name });
      if (old()) return;
      place.append(row(found, title ?? name, () => use(name)));
    } catch (error) {
      if (error instanceof Cancelled || old()) return;
      refused.push([title ?? name, error.message]);
    }
  }
  // Most are refused for one and the same reason, such as a listing of another capability.
  const reason = (what) => what.replace(/capability [\d.]+, and a GPU of [\d.]+/, "another capability, and a GPU of this one").replace(/listing for [\d.]+$/, "listing for it");
  const by = Map.groupBy ? Map.groupBy(refused, ([, what]) => reason(what)) : new Map(refused.map((one) => [reason(one[1]), [one]]));
  for (const [what, all] of by) {
    place.append(el("tr", {}, el("td", {}, all.map(([name]) => name).join(", ")), el("td", { class: "refused" }, what)));
  }
  say($("gpus-left"), "");
}

function row({ headline, html }, title, show) {
  const button = el("button", { type: "button" }, "Show");
  button.addEventListener("click", show);
  const answer = el("div");
  answer.innerHTML = headline;
  const rests = el("div", { class: "told" });
  rests.innerHTML = html;
  return el("tr", {}, el("td", {}, title, " ", button), el("td", {}, answer, el("details", {}, el("summary", {}, "rests on"), rests)));
}
