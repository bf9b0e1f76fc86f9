// Questions to the worker, one after the other. A new worker takes the place of one that is ended.

const FILE = new URL("warpspan.wasm", import.meta.url);
let compiled;
let worker;
let asked = new Map();
let last = 0;

/** Thrown to whoever waits for an answer that nobody wants any more. */
export class Cancelled extends Error {}

async function module() {
  compiled ??= fetch(FILE).then(async (response) => {
    if (!response.ok) throw new Error(`warpspan.wasm: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await response.arrayBuffer());
  });
  return compiled;
}

async function running() {
  const of = await module();
  if (!worker) {
    worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.postMessage({ compiled: of });
    const mine = worker;
    worker.onmessage = ({ data: { id, answer } }) => {
      const waiting = asked.get(id);
      asked.delete(id);
      if (answer.broken && worker === mine) {
        mine.terminate();
        worker = undefined;
      }
      if (waiting && answer.error !== undefined) waiting.reject(Object.assign(new Error(answer.error), { missing: answer.missing, flag: answer.flag }));
      else if (waiting) waiting.resolve(answer.ok);
    };
  }
  return worker;
}

/** The answer to a question; it fails with the message for a person; `missing` has what only that person knows, and `flag` what of the question is wrong. */
export async function ask(question) {
  const id = ++last;
  const answer = new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
  answer.catch(() => {}); // whoever asked still sees the failure
  const to = await running();
  if (asked.has(id)) to.postMessage({ id, question });
  return answer;
}

/** Ends what is being computed. */
export function cancel() {
  if (asked.size === 0) return;
  const waiting = [...asked.values()];
  asked = new Map();
  worker?.terminate();
  worker = undefined;
  for (const { reject } of waiting) reject(new Cancelled("stopped"));
}
