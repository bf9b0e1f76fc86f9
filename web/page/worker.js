// Computes in a thread of its own, so that the page never freezes. It is ended to cancel what it computes.
import { start } from "./module.js";

let module;

onmessage = async ({ data }) => {
  if (data.compiled) {
    module = start(data.compiled);
    return;
  }
  let answer;
  try {
    answer = (await module).call(data.question);
  } catch (error) {
    answer = { error: `warpspan failed: ${error.message}`, broken: true };
  }
  postMessage({ id: data.id, answer });
};
