// Pages of all kinds: the arm, its controls, and words.

import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { drawn, seek, slide } from "./browser.mjs";
import { coloured, counted, folder, pixels, saved, test, time } from "./harness.mjs";

await test("the arm moves", "king.html", async (page) => {
  await seek(page, 0);
  const inked = await pixels(page);
  assert.ok(inked > 1000, `${inked} pixels are drawn`);
  await seek(page, 1.2);
  const moved = await pixels(page);
  assert.ok(moved > 300, `${moved} pixels differ between two instants`);
  await page.screenshot({ path: join(folder, "king-light.png") });
});

await test("a language that is none is no obstacle", "one-row.html", async (page) => {
  assert.equal(await page.evaluate(() => navigator.language), "en-US");
}, { language: "en-US@posix" });

await test("a fault is told on the page", "one-row.html", async (page) => {
  await page.evaluate(() => setTimeout(() => JSON.parse("no json"), 0));
  await page.evaluate(() => void Promise.reject(new Error("nobody waits for this")));
  await page.waitForFunction(() => document.querySelectorAll(".fault").length === 2);
  const told = await page.$$eval(".fault", (all) => all.map((one) => one.textContent).join(" "));
  assert.match(told, /SyntaxError/);
  assert.match(told, /nobody waits for this/);
}, { complains: true });

await test("dark is dark", "king.html", async (page) => {
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [r, g, b] = colour.match(/\d+/g).map(Number);
  assert.ok(r + g + b < 150, colour);
  await seek(page, 1.2);
  await page.screenshot({ path: join(folder, "king-dark.png") });
  await page.click("#theme");
  const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.notEqual(light, colour);
}, { theme: "dark" });

await test("the chain ends where the engine says", "king.html", async (page) => {
  const worst = await page.evaluate(() => {
    const { view, plots } = window.pliant;
    const [times] = plots.runs.times;
    const find = (axis) => plots.first.channels.find((one) => one.name === `fore.tip.position.${axis}`);
    const rows = ["x", "y", "z"].map((axis) => plots.values(find(axis)));
    let most = 0;
    for (let k = 0; k < times.length; k += 20) {
      const tip = view.tip(times[k], 1);
      most = Math.max(most, Math.hypot(tip.x - rows[0][k], tip.y - rows[1][k], tip.z - rows[2][k]));
    }
    return most;
  });
  // sixteen bits of quaternions over 2.44 m leave a tenth of a millimetre
  assert.ok(worst < 5e-4, `the tip is off by ${worst} m`);
});

await test("bending can be enlarged", "king.html", async (page) => {
  await seek(page, 1.2);
  await pixels(page);
  await slide(page, "#enlarge", 200);
  assert.equal(await page.textContent("#factor"), "×100");
  const moved = await pixels(page);
  assert.ok(moved > 300, `${moved} pixels differ`);
});

await test("the view fits what is enlarged", "king.html", async (page) => {
  const far = () => page.evaluate(() => {
    const { view } = window.pliant;
    return view.camera.position.distanceTo(view.orbit.target);
  });
  const before = await far();
  await slide(page, "#enlarge", 200);
  const after = await far();
  assert.ok(after > 1.05 * before, `${before} and ${after} m away`);
  await slide(page, "#enlarge", 0);
  assert.ok(Math.abs((await far()) - before) < 1e-6 * before);
  // a camera that was moved by hand stays until it is asked for
  const box = await page.locator("#view").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 210, { steps: 3 });
  await page.mouse.up();
  await slide(page, "#enlarge", 200);
  assert.ok(Math.abs((await far()) - before) < 1e-6 * before, "the slider takes the camera");
  await page.locator("button", { hasText: "reset view" }).click();
  assert.ok(Math.abs((await far()) - after) < 1e-6 * after, "the view is not reset");
});

await test("it plays, pauses and steps", "king.html", async (page) => {
  await page.click("#play");
  await page.waitForFunction(() => window.pliant.player.t > 0.02);
  await page.keyboard.press("Space");
  const stopped = await time(page);
  await page.waitForTimeout(150);
  assert.equal(await time(page), stopped, "it does not pause");
  await page.keyboard.press("ArrowRight");
  assert.ok((await time(page)) > stopped);
  await page.keyboard.press("End");
  assert.equal(await time(page), 5);
  await slide(page, "#scrub", 5000);
  assert.ok(Math.abs((await time(page)) - 2.5) < 0.01);
});

await test("keys belong to what has them", "king.html", async (page) => {
  await page.focus(".tabs [data-key=bending]");
  await page.keyboard.press("Space");
  assert.equal(await page.getAttribute(".tabs [data-key=bending]", "aria-selected"), "true");
  assert.equal(await page.evaluate(() => window.pliant.player.playing), false, "a tab plays");
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await time(page)) - 0.005) < 1e-9, "an arrow is one row");
  assert.equal(await page.textContent("#clock"), "0.005 s");
  await page.focus("#play");
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => window.pliant.player.playing), true, "play does not play");
});

await test("the words lead to instants", "king.html", async (page) => {
  assert.match(await page.textContent("#command"), /^pliant run .*scenario\.toml'? -o again$/);
  const panel = (title) => page.locator(".panel", { has: page.locator("h2", { hasText: title }) });
  await panel("Loads of links").locator(".instant").first().click();
  assert.equal(await time(page), await page.evaluate(() => window.pliant.plots.first.words.links[0].deflection.time));
  await panel("Extremes").locator(".instant").nth(1).click();
  const t = await time(page);
  const least = await page.evaluate(() => window.pliant.page.told.runs[0].words.extremes[0].most[1]);
  assert.equal(t, least);
});

await test("modes move", "modes.html", async (page) => {
  await page.evaluate(() => window.pliant.player.toggle());
  await seek(page, 0);
  await pixels(page);
  await seek(page, 0.25);
  assert.ok((await pixels(page)) > 300);
  const caption = await page.textContent("#caption");
  await page.locator("table.modes tbody tr").nth(2).click();
  assert.notEqual(await page.textContent("#caption"), caption);
  await page.locator("table.modes tbody tr").nth(0).focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.textContent("#caption"), caption);
  await page.screenshot({ path: join(folder, "modes.png") });
});

await test("a rigid arm has nothing to enlarge", "puma.html", async (page) => {
  assert.equal(await page.locator("#enlarge").count(), 0);
  assert.equal(await page.locator(".tabs [data-key=bending]").count(), 0);
  await seek(page, 0);
  await pixels(page);
  await seek(page, 0.8);
  assert.ok((await pixels(page)) > 300);
  await page.click(".tabs [data-key=spectrum]");
  await page.waitForSelector(".spectrum canvas");
  assert.match(await page.textContent(".spectrum .note"), /the arm has no flexible links/);
  await page.screenshot({ path: join(folder, "puma.png") });
});

await test("a phone shows all of it", "line.html", async (page) => {
  assert.ok((await page.locator("#scrub").boundingBox()).width > 300, "the scrubber is short");
  for (const id of ["#play", "#speed", "#clock", "#picture", "#all"]) {
    const { x, width } = await page.locator(id).boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `${id} from ${x} px, ${width} px wide`);
  }
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `the page is ${over} px too wide`);
  const scrolled = await page.$$eval(".words table", (all) => all.every((one) => one.closest(".scroll")));
  assert.ok(scrolled, "a table does not scroll in its card");
  const { height } = await page.locator(".tabs").boundingBox();
  assert.ok(height < 45, `tabs are ${height} px high`);
  await page.screenshot({ path: join(folder, "phone.png"), fullPage: true });
}, { viewport: { width: 390, height: 844 } });

await test("without coordinates a sentence says why", "blind.html", async (page) => {
  assert.equal(await page.locator("#view").count(), 0);
  assert.match(await page.textContent(".view"), /"upper" was not recorded/);
  assert.ok((await page.locator(".plot").count()) > 0);
});

await test("a killed run shows what was saved", "killed.html", async (page) => {
  assert.equal(await page.textContent("#ending"), "not finished");
  assert.match(await page.textContent(".alert"), /saved rows, up to 2 s/);
  assert.equal(await page.locator("#view").count(), 1);
});

await test("one row is enough", "one-row.html", async (page) => {
  assert.equal(await page.locator("#view").count(), 1);
  assert.ok(await page.isDisabled("#play"));
  assert.ok((await pixels(page)) > 1000, "nothing is drawn");
  await page.click(".tabs [data-key=spectrum]");
  assert.match(await page.textContent(".spectrum .note"), /Too few rows/);
});

await test("without rows a sentence says so", "no-row.html", async (page) => {
  assert.match(await page.textContent(".view"), /no row was recorded/);
  assert.equal(await page.textContent("#ending"), "interrupted");
});

await test("odd names stay names", "odd.html", async (page) => {
  assert.equal(await page.locator("img").count(), 0);
  assert.ok((await page.locator(".words").textContent()).includes("<script><img src=x onerror=alert(1)>"));
});

await test("free, universal and sliding joints and branches are drawn", "joints.html", async (page) => {
  const links = await page.evaluate(() =>
    window.pliant.plots.first.arm.links.map((link) => [link.name, link.parent, link.joint.kind]),
  );
  assert.deepEqual(links.map(([name, parent]) => [name, parent]), [["base", null], ["neck", 0], ["rail", 0]]);
  assert.deepEqual(links.map(([, , kind]) => kind), ["free", "universal", "prismatic"]);
  await seek(page, 0);
  assert.ok((await pixels(page)) > 1000);
  await seek(page, 0.4);
  const moved = await pixels(page);
  assert.ok(moved > 300, `${moved} pixels differ`);
  await page.screenshot({ path: join(folder, "joints.png") });
});

await test("the springs of joints are marked in the spectrum", "joints.html", async (page) => {
  await page.click(".tabs [data-key=spectrum]");
  await page.waitForSelector(".spectrum canvas");
  const { free, locked } = await page.evaluate(() => window.pliant.plots.first.frequencies);
  // no link bends: with joints locked nothing moves
  assert.ok(free.length > 2 && locked.length === 0, `${free} Hz, ${locked} Hz`);
  assert.match(await page.textContent(".spectrum .note"), /Marks are the natural frequencies/);
  const box = page.locator(".spectrum label", { hasText: "joints free" });
  assert.deepEqual([await page.locator(".spectrum label").count(), await box.locator("input").isChecked()], [1, true]);
  const drawing = async () => {
    const text = await saved(page, page.locator(".spectrum button", { hasText: "SVG" }));
    const all = (pattern) => [...text.matchAll(pattern)].map((found) => found.slice(1).map(Number));
    const ticks = all(/class="g" d="M([\d.]+) [\d.]+v[\d.]+"\/><text[^>]*>([\d.]+)</g);
    const [[left, low], [right, high]] = [ticks[0], ticks[ticks.length - 1]];
    const hertz = (x) => low + ((x - left) * (high - low)) / (right - left);
    return all(/class="m" d="M([\d.]+) [\d.]+v[\d.]+"\/><text[^>]*>(\d+)</g).map(([x, number]) => [hertz(x), number]);
  };
  const marks = await drawing();
  assert.deepEqual(marks.map(([, number]) => number), free.map((_, k) => k + 1));
  marks.forEach(([hertz], k) => assert.ok(Math.abs(hertz - free[k]) < 0.1, `${hertz} Hz for ${free[k]}`));
  const inked = await coloured(page, ".spectrum canvas", "--mark-free");
  assert.ok(inked > 100, `${inked} pixels of marks`);
  await box.locator("input").uncheck();
  await drawn(page);
  assert.equal(await coloured(page, ".spectrum canvas", "--mark-free"), 0);
  assert.deepEqual(await drawing(), []);
});

await test("controllers are told of", "line.html", async (page) => {
  const tables = page.locator(".panel", { has: page.locator("h2", { hasText: "Tracking" }) }).locator("table");
  const [errors, motors] = await tables.evaluateAll((all) =>
    all.map((one) => [...one.querySelectorAll("tbody tr")].map((line) => [...line.cells].map((cell) => cell.textContent))),
  );
  const { tracking } = await page.evaluate(() => window.pliant.plots.first.words);
  assert.deepEqual(errors.map(([name]) => name), [...tracking.joints.map((joint) => joint.name), `tip ${tracking.tip.frame}`]);
  const { overshoot, settling_time: settled } = tracking.tip;
  const known = (text, x) => (x === null ? text === "–" : Math.abs(parseFloat(text) / x - 1) < 1e-3 || text.endsWith("mm"));
  assert.ok(known(errors[3][5], overshoot) && known(errors[3][6], settled), errors[3].join(" "));
  const integrals = await page.locator(".panel", { has: page.locator("h2", { hasText: "Tracking" }) }).locator("dd").allTextContents();
  assert.match(integrals[0], /^[\d.e-]+ rad²\/s, with the factor ½ [\d.e-]+ rad²\/s$/);
  assert.match(integrals[1], /^[\d.e+-]+ \(N m\)² s, /);
  const metres = (text) => parseFloat(text) * (text.endsWith("mm") ? 1e-3 : 1);
  assert.ok(Math.abs(metres(errors[3][1]) / tracking.tip.most - 1) < 1e-3, errors[3].join(" "));
  assert.equal(motors.length, 3);
  assert.ok(motors.every((line) => parseFloat(line[1]) >= parseFloat(line[2]) && line[1].endsWith(" N m")), motors.join(" "));
  // no column is hidden at this width
  const wide = await page.$$eval(".words .scroll", (all) => all.map((one) => one.scrollWidth - one.clientWidth));
  assert.ok(wide.every((over) => over <= 1), String(wide));
}, { viewport: { width: 1440, height: 900 } });

await test("a minute of six links is not too large", "long.html", async (page) => {
  const { size } = await stat(join(folder, "long.html"));
  assert.ok(size < 25e6, `${size} bytes`);
  const found = await page.evaluate(() => {
    const run = window.pliant.plots.first;
    const { responseEnd, domInteractive } = performance.getEntriesByType("navigation")[0];
    const script = window.pliant.readyAfter;
    return { rows: run.rows, thinned: run.thinned, channels: run.channels.length, instants: run.motion.count, script, loaded: domInteractive - responseEnd };
  });
  assert.deepEqual([found.rows, found.thinned, found.channels, found.instants], [12001, false, 164, 12001]);
  await seek(page, 0);
  await pixels(page);
  await seek(page, 1);
  assert.ok((await pixels(page)) > 300);
  await page.screenshot({ path: join(folder, "long.png") });
  const ms = (x) => Math.round(x);
  counted.told = `; a minute of six links: ${(size / 1e6).toFixed(1)} MB, parsed in ${ms(found.loaded)} ms, ready ${ms(found.script)} ms after the script began`;
});
