// A listing in the address of the page: compressed, in the letters that an address may have.

/** The longest address that every browser keeps, in characters. */
export const LONGEST = 1_000_000;

async function through(bytes, stream) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** A text as base64url of its compressed bytes; null where the browser cannot compress. */
export async function pack(text) {
  if (typeof CompressionStream === "undefined") return null;
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let letters = "";
  for (let at = 0; at < bytes.length; at += 0x8000) letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text of such letters; it fails if they are none. */
export async function unpack(packed) {
  const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw")));
}
