// The WebAssembly module: a question in JSON goes in, an answer in JSON comes out. The worker uses it, and so do the tests.

/** Starts a compiled module. `call` throws if the module panics or runs out of memory; it is of no more use then. */
export async function start(compiled) {
  let panic = "";
  let memory;
  const text = (place, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, place, length));
  const env = {
    now: () => performance.now(),
    panicked: (place, length) => { panic = text(place, length); },
  };
  const { exports } = await WebAssembly.instantiate(compiled, { env });
  memory = exports.memory;
  return {
    call(question) {
      const bytes = new TextEncoder().encode(JSON.stringify(question));
      const place = exports.take(bytes.length) >>> 0;
      new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
      let answer;
      try {
        answer = exports.call(place, bytes.length) >>> 0;
      } catch (error) {
        throw new Error(panic || String(error));
      }
      const length = new DataView(memory.buffer).getUint32(answer, true);
      const found = JSON.parse(text(answer + 4, length));
      exports.give_back(answer, length);
      return found;
    },
  };
}
