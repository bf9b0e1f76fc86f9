// The page in a real browser. Screenshots go to the folder of SCREENSHOTS, by default target/web-screenshots.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mkdirSync, readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "target/web");
const shots = process.env.SCREENSHOTS ?? join(root, "target/web-screenshots");
mkdirSync(shots, { recursive: true });
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

// A plain file server, which notes what it is asked for.
const served = [];
const server = createServer((request, response) => {
  const path = normalize(new URL(request.url, "http://x").pathname);
  served.push(path);
  try {
    const file = readFileSync(join(folder, path.endsWith("/") ? `${path}index.html` : path));
    response.writeHead(200, { "content-type": KINDS[extname(path)] ?? (path.endsWith("/") ? "text/html" : "text/plain") });
    response.end(file);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
// In a folder of its own, as on any server.
const home = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
});
const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, reducedMotion: "reduce" });
const page = await context.newPage();
const outside = [];
const failures = [];
context.on("request", (request) => { if (!/^(http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) outside.push(request.url()); });
page.on("pageerror", (error) => failures.push(String(error)));
page.on("console", (message) => { if (message.type() === "error") failures.push(message.text()); });

const text = (id) => page.locator(`#${id}`).innerText();
/** Waits until a part of the page has a text. */
async function until(id, pattern) {
  await page.waitForFunction(([id, source]) => new RegExp(source).test(document.getElementById(id).innerText), [id, pattern.source], { timeout: 30000 })
    .catch(async () => assert.fail(`${id} is ${JSON.stringify(await text(id))}, want ${pattern}`));
}
// Whatever fails ends this process, and with it the browser and the server.
process.on("unhandledRejection", (error) => { console.error(error); process.exit(1); });
const steps = [];
async function step(name, does) {
  await does();
  steps.push(name);
}
const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

await step("the page opens with the time of a launch, and what it rests on", async () => {
  await page.goto(home);
  await until("bound", /^conv on jetson-orin: at most 4\.492225 ms; deadline 10 ms met$/);
  const told = await text("told");
  assert.match(told, /^proved\s+on (\d+ declarations? and )?\d+ assumptions\s/);
  assert.match(told, /assumed\s[\s\S]*clock: always the highest of the data sheet, 1300 MHz \[clock\.highest/);
  assert.match(told, /not covered\s[\s\S]*preemption and other processes/);
  assert.match(told, /loop \.L_x_2[^\n]*--loop-bound/, "an answer names a declaration by its flag");
  for (const [field, name] of [["#launch label[for=dram-bytes]", "--dram-bytes"], ["#launch label[for=on]", "--gpu"], ["#rows li span", "--loop-bound"]]) {
    assert.ok((await page.locator(field).first().textContent()).trimEnd().endsWith(name), `the field of ${name} shows it`);
  }
  assert.match(await text("limits"), /^L2\s+38\.8%/);
  assert.match(await text("line-rows"), /^15\s+conv\.cu\s+90\.4%/);
  assert.match(await text("line-head"), /share\s+L2\s+LSU\s+DRAM/);
  assert.match(await text("line-sum"), /^\s*all lines\s+100\.0%\s+38\.8/);
  assert.match(page.url(), /tab=time.*src=conv\.sm_87\.sass/);
});

await step("what is missing is asked for by name, and the answer goes with it", async () => {
  await page.locator("#rows li", { hasText: ".L_x_2" }).getByRole("button").click();
  await until("launch-error", /\.L_x_2/);
  assert.equal(await text("bound"), "No answer yet");
  assert.ok(!(await page.locator("#told").isVisible()), "no number without what it rests on, and nothing without a number");
  const field = page.getByRole("textbox", { name: "Loop .L_x_2 runs at most" });
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  await field.focus();
  await page.keyboard.type("3");
  await until("bound", /at most 4\.492225 ms; deadline 10 ms met$/);
  assert.ok(await field.evaluate((one) => one === document.activeElement), "the field loses the focus while it is typed into");
  await page.fill("#deadline", "soon");
  await until("launch-error", /^--deadline "soon": want a number with its unit/);
  assert.equal(await page.locator("#deadline").getAttribute("aria-invalid"), "true");
  await page.fill("#deadline", "1us");
  await until("bound", /deadline 1 us missed$/);
  await page.fill("#deadline", "4ms");
  await until("bound", /deadline 4 ms undecided$/);
  await until("told", /^reason[\s\S]*no launch is known/);
});

await step("the other GPUs stand side by side, each with what its number rests on", async () => {
  await page.locator("#gpus > summary").click();
  await page.waitForFunction(() => document.querySelector("#gpu-rows .refused"), undefined, { timeout: 60000 });
  const other = page.locator("#gpu-rows tr", { hasText: "Orin" }).first();
  assert.match(await other.innerText(), /[\d.]+ ms/);
  await other.locator("summary").click();
  assert.match(await other.innerText(), /not covered/);
  assert.match(await page.locator("#gpu-rows .refused").first().innerText(), /cannot run it/);
  await page.locator("#gpus > summary").click();
});

await step("a hint can be taken up", async () => {
  await page.locator("#hints").getByRole("button", { name: "Say how much" }).first().click();
  const id = await page.evaluate(() => document.activeElement.id);
  assert.ok(["dram-bytes", "l2-bytes"].includes(id), id);
  await page.fill("#l2-bytes", "60MB");
  await until("bound", /at most [2-4]\.\d+ ms/);
  await page.fill("#l2-bytes", "");
});

await step("a declaration of one listing says nothing of the next one, and comes back with its own", async () => {
  await page.selectOption("#launch-source", "increment.ptx");
  await until("bound", /^k on/);
  await until("bound", /at most [\d.]+ [mu]s/);
  assert.ok(!(await page.locator("#declared").isVisible()));
  await page.selectOption("#launch-source", "conv.sm_87.sass");
  await until("bound", /at most 4\.492225 ms; deadline 10 ms met$/);
  assert.equal(await page.inputValue("#loop-bounds"), ".L_x_2=3");
  assert.equal(await page.inputValue("#dram-bytes"), "50MB:lines");
  const pasted = readFileSync(join(root, "tests/data/listing/samples/increment.ptx"), "utf8");
  await page.fill("#launch-text", pasted);
  await until("bound", /^k on/);
  await until("bound", /at most/);
  assert.equal(await page.inputValue("#loop-bounds"), "");
  assert.equal(await page.inputValue("#dram-bytes"), "", "the traffic of the example is not that of the listing that is pasted");
});

await step("a link holds any listing", async () => {
  const long = readFileSync(join(folder, "listings/conv.sm_87.sass"), "utf8") + "\n// é\n".repeat(2000);
  await page.setInputFiles("#file", { name: "kernel.sass", mimeType: "text/plain", buffer: Buffer.from(long) });
  await until("launch-error", /\.L_x_2/);
  await page.getByRole("textbox", { name: "Loop .L_x_2 runs at most" }).fill("3");
  await until("bound", /at most [\d.]+ ms/);
  await page.waitForFunction(() => /[#&]z=[\w-]+/.test(location.hash));
  const link = page.url();
  assert.ok(link.length < long.length / 2, `${link.length} characters`);
  const other = await context.newPage();
  await other.goto(link);
  await other.waitForFunction((bound) => document.getElementById("bound").innerText === bound, await text("bound"), { timeout: 30000 });
  assert.equal(await other.inputValue("#launch-text"), long);
  await other.goto(`${home}#k=LLC&w=4&z=AAAA`);
  await other.waitForFunction(() => /cannot be read/.test(document.getElementById("listing-note").textContent), undefined, { timeout: 30000 });
  await other.goto(`${home}#k=LLC&w=4&text=${encodeURIComponent("garbage { here")}`);
  await other.waitForFunction(() => document.getElementById("listing-error").innerText !== "", undefined, { timeout: 30000 });
  assert.equal(await other.inputValue("#text"), "garbage { here");
  await other.close();
});

await step("tabs are changed by the keyboard, and each is whole", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(home);
  await page.reload();
  await until("bound", /at most 4\.492225 ms; deadline 10 ms met$/);
  await page.screenshot({ path: join(shots, "time-light.png"), fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(shots, "time-dark.png"), fullPage: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(200);
  assert.equal(await overflow(), 0, "the page is wider than a phone");
  await page.screenshot({ path: join(shots, "time-phone.png"), fullPage: true });
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1100, height: 900 });
  await page.focus("#tab-time");
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.locator("#panel-string").isVisible() && !(await page.locator("#panel-time").isVisible()));
  assert.equal(await page.locator("#tab-string").getAttribute("aria-selected"), "true");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-string");
});

await step("a search that runs out of time beside an answer leaves the answer", async () => {
  await page.goto(`${home}#k=(LLC)1000&w=32`);
  await until("verdict", /^65000 cycles, exactly$/);
  // How far the other parts come depends on the machine; each says so in its own place.
  const told = () => /not known: ./.test(document.getElementById("policies").textContent) || document.querySelectorAll("#policies tbody tr").length > 1;
  await page.waitForFunction(told, undefined, { timeout: 60000 });
  await page.waitForFunction(() => document.getElementById("answer").getAttribute("aria-busy") === "false", undefined, { timeout: 60000 });
  assert.equal(await text("verdict"), "65000 cycles, exactly");
  assert.match(await text("ends"), /at least 65000[\s\S]*at most 65000/);
  assert.ok(!(await page.locator("#error").isVisible()), await text("error"));
});

await step("the page of a kernel string opens with an answer", async () => {
  await page.goto(`${home}#k=LLCLL&w=4`);
  await until("verdict", /^17 cycles, exactly$/);
  assert.match(await text("ends"), /at least 17[\s\S]*checked by machine[\s\S]*at most 17[\s\S]*Theorem 2[\s\S]*checked by machine/);
  await until("best-caption", /^Best: 16 cycles/);
});

await step("it steps through the schedule by buttons and keys", async () => {
  assert.match(await text("at"), /^1 of 17$/);
  await page.click("#next");
  assert.match(await text("at"), /^2 of 17$/);
  await page.focus("#stepper");
  await page.keyboard.press("ArrowRight");
  assert.match(await text("at"), /^3 of 17$/);
  const said = await text("worst-says");
  assert.match(said, /^Cycle 3\. The load\/store units \(L\) serve warp \d/);
  assert.match(said, /ready and waits?\. The scheduler may do this/);
  await page.keyboard.press("End");
  assert.match(await text("at"), /^17 of 17$/);
  assert.match(await text("best-says"), /all warps have finished, in cycle 16/);
  assert.ok(await page.locator("#next").isDisabled());
  await page.keyboard.press("Home");
  assert.match(page.url(), /#k=LLCLL&w=4$/);
});

await step("LLCLL on 600 warps takes 2401 cycles", async () => {
  await page.fill("#kernel", "LLCLL");
  await page.fill("#warps", "600");
  await until("verdict", /^2401 cycles, exactly$/);
  await until("rate", /a = 4/);
  await until("curve-says", /At W = 600 the worst case is 2401 cycles; the pessimistic makespan of Be12 is 3000/);
  await page.locator("#cycle").evaluate((slider) => { slider.value = 1234; slider.dispatchEvent(new Event("input")); });
  await until("worst-says", /^Cycle 1234\./);
});

await step("a shared link shows the same", async () => {
  const link = page.url();
  const other = await context.newPage();
  other.on("pageerror", (error) => failures.push(String(error)));
  await other.goto(link);
  await other.waitForFunction(() => /^Cycle 1234\./.test(document.getElementById("worst-says").innerText), undefined, { timeout: 30000 });
  for (const id of ["verdict", "ends", "worst-says", "rate", "at"]) {
    assert.equal(await other.locator(`#${id}`).innerText(), await text(id), id);
  }
  assert.equal(await other.inputValue("#warps"), "600");
  await other.close();
});

await step("bad input shows one clear message, and goes", async () => {
  for (const [kernel, warps, message] of [
    ["LLXLL", "4", /X/], ["", "4", /^no kernel/], ["LL", "0", /^warps "0": want a whole number, 1 or more$/], ["LL", "four", /^warps/],
  ]) {
    await page.fill("#kernel", kernel);
    await page.fill("#warps", warps);
    await until("error", message);
    await until("verdict", /^No answer$/);
    assert.equal(await page.locator("[role=alert]:visible").count(), 1);
    assert.equal(await page.locator("[aria-invalid=true]").count(), 1);
  }
  await page.fill("#kernel", "LLC");
  await page.fill("#warps", "4");
  await until("verdict", /^9 cycles, exactly$/);
  assert.equal(await page.locator("[role=alert]:visible").count(), 0);
});

await step("a sigma above 1, and a GPU", async () => {
  await page.fill("#kernel", "LL");
  await page.fill("#sigma-l", "2");
  await until("verdict", /^5 cycles, exactly$/);
  assert.match(await text("bounds"), /pessimistic makespan\s+4\s+not safe here/);
  await page.selectOption("#gpu", "jetson-orin");
  await until("verdict", /cycles/);
  assert.equal(await page.inputValue("#sigma-l"), "1/2");
  assert.ok(await page.locator("#sigma-l").isDisabled());
  await page.selectOption("#gpu", "");
});

await step("the estimate is too low for LCL, and the exercise is done", async () => {
  await page.fill("#kernel", "LCL");
  await until("verdict", /^9 cycles, exactly$/);
  await until("estimate", /8[\s\S]*It is too low by 1 cycle/);
  assert.match(await text("exercises"), /Done: LCL on 4 warps/);
  assert.equal(await page.locator("#exercises > li").count(), 5);
});

await step("every exercise can be done as its solution says", async () => {
  for (const hash of ["#k=LLCLL&w=4&t=7", "#k=LLLCCC&w=4", "#k=LL&w=4&sl=2", "#k=LC&w=4"]) {
    await page.goto(home + hash);
    await page.waitForFunction((hash) => location.hash === hash && document.getElementById("answer").getAttribute("aria-busy") === "false", hash);
  }
  await page.waitForFunction(() => document.querySelectorAll("#exercises strong:not(:empty)").length === 5, undefined, { timeout: 10000 });
});

await step("barriers hold warps, and programs have an interval", async () => {
  await page.goto(`${home}#k=LLC|CLL&w=4&t=9`);
  await until("worst-says", /barrier/);
  await page.goto(`${home}#k=${encodeURIComponent("C(LLC)1..4{LC/C}")}&w=4`);
  await until("no-schedule", /branches or loops/);
  await until("verdict", /cycles/);
});

await step("a listing becomes letters, shares of lines, and the kernel", async () => {
  await page.selectOption("#source", "template-float.ptx");
  await until("entries", /8|4 warps take/);
  await page.fill("#text", "garbage { here");
  await until("listing-error", /./);
  await page.selectOption("#source", "conv.sm_87.sass");
  await until("entries", /What each line of the listing adds[\s\S]*%/);
  assert.match(page.url(), /src=conv\.sm_87\.sass/);
  assert.match(await text("entries"), /at most \d+ cycles on a multiprocessor of sm_87/);
  await page.selectOption("#gpu", "jetson-orin");
  await until("entries", /at most \d+ cycles on a multiprocessor of jetson-orin/);
  await page.selectOption("#gpu", "");
  await until("entries", /at most \d+ cycles on a multiprocessor of sm_87/);
  await page.locator("#entries button").first().click();
  await until("verdict", /between \d+ and \d+ cycles|exactly/);
  assert.match(page.url(), /gpu=8\.7/);
});

await step("a long search does not freeze the page and can be stopped", async () => {
  await page.goto(`${home}#k=LCCCLLCCCCCLLLCC&w=40&sc=4`);
  await until("curve-says", /At W = 40/);
  assert.ok(await page.locator("#stop").isVisible());
  const began = Date.now();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  assert.ok(Date.now() - began < 5000, "the page does not answer while it computes");
  await page.click("#stop");
  assert.ok(!(await page.locator("#stop").isVisible()));
  await until("verdict", /between \d+ and \d+ cycles/);
});

await step("it is whole in the dark, on a phone, and for a screen reader", async () => {
  await page.goto(`${home}#k=LLCLL&w=4&t=7`);
  await until("best-caption", /^Best: 16 cycles/);
  await until("curve-says", /At W = 4/);
  await page.screenshot({ path: join(shots, "light.png"), fullPage: true });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(shots, "dark.png"), fullPage: true });
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 375, height: 740 });
  await page.waitForTimeout(200);
  assert.equal(await overflow(), 0, "the page is wider than a phone");
  await page.screenshot({ path: join(shots, "phone.png"), fullPage: true });
  const unlabelled = await page.evaluate(() => [...document.querySelectorAll("input, select, textarea, button")]
    .filter((one) => !one.labels?.length && !one.getAttribute("aria-label") && !one.innerText.trim()).map(({ id }) => id));
  assert.deepEqual(unlabelled, []);
  const ids = await page.evaluate(() => [...document.querySelectorAll("[aria-labelledby],[aria-describedby]")]
    .flatMap((one) => (one.getAttribute("aria-labelledby") ?? one.getAttribute("aria-describedby")).split(" ")).filter((id) => !document.getElementById(id)));
  assert.deepEqual(ids, []);
  assert.equal(await page.locator("#live").getAttribute("aria-live"), "polite");
  await page.goto(`${home}#k=LLCLL&w=600&t=1234`);
  await until("worst-says", /^Cycle 1234\./);
  assert.equal(await overflow(), 0, "the page is wider than a phone");
  await page.setViewportSize({ width: 1100, height: 900 });
  await until("curve-says", /At W = 600/);
  await page.screenshot({ path: join(shots, "large.png"), fullPage: true });
});

await step("it works offline once it is there, and no request leaves", async () => {
  await context.setOffline(true);
  await page.fill("#warps", "5");
  await until("verdict", /^21 cycles, exactly$/);
  await context.setOffline(false);
  assert.deepEqual(outside, []);
  const blocked = await page.evaluate(() => fetch("https://example.com/").then(() => "sent", () => "blocked"));
  assert.equal(blocked, "blocked");
});

await browser.close();
server.close();
// The request that the policy of the page had to block says so in the console.
const real = failures.filter((failure) => !/Content Security Policy|example\.com/.test(failure));
assert.deepEqual(real, []);
assert.ok(served.every((path) => !path.includes("..")));
console.log(`browser: ${steps.length} checks; screenshots in ${shots}`);
