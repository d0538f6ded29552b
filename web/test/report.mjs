// The pages in a real browser: node test/report.mjs FOLDER [WORDS], where the example `report_pages`
// has written them. Pictures of light and dark go there too. With words, only tests that have them
// in their name.

import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { drawn, launch, open, seek, slide, watch } from "./browser.mjs";

const [folder, words = ""] = process.argv.slice(2);
if (!folder) throw new Error("give the folder of the pages");
watch();
const browser = await launch();
let passed = 0;

/** One page, which must neither complain nor ask for anything. */
async function test(name, file, check, options) {
  if (!name.includes(words)) return;
  const opened = await open(browser, join(folder, file), options);
  try {
    await check(opened.page);
    assert.deepEqual(opened.complaints, [], "the page complains");
    assert.deepEqual(opened.requests, [], "a request leaves the page");
  } catch (fault) {
    fault.message = `${name} (${file}): ${fault.message}`;
    await opened.page.screenshot({ path: join(folder, "failed.png") }).catch(() => undefined);
    throw fault;
  }
  await opened.page.close();
  passed += 1;
  console.log(`  ${name}`);
}

/** Keeps the pixels of the view, and tells how many differ from those kept before. */
function pixels(page) {
  return page.evaluate(() => {
    const view = document.getElementById("view");
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [view.width, view.height];
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.drawImage(view, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    // before the first time all is as its corner
    const before = window.kept ?? data.map((_, k) => data[k % 4]);
    window.kept = data;
    let count = 0;
    for (let k = 0; k < data.length; k += 4) {
      const off = (c) => Math.abs(data[k + c] - before[k + c]);
      if (off(0) + off(1) + off(2) > 30) count += 1;
    }
    return count;
  });
}

/** For each chart, how many of its pixels have the colour of a line. */
function lined(page) {
  return page.evaluate(() => {
    const style = getComputedStyle(document.documentElement);
    // the seventh is the grey of the words at the axes
    const colours = [0, 1, 2, 3, 4, 5, 7].map((k) => {
      const hex = style.getPropertyValue(`--line-${k}`).trim();
      return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    });
    return [...document.querySelectorAll(".chart canvas")].map((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let k = 0; k < data.length; k += 4) {
        const near = (colour) => colour.every((x, c) => Math.abs(data[k + c] - x) < 12);
        if (data[k + 3] > 200 && colours.some(near)) count += 1;
      }
      return count;
    });
  });
}

/** How many pixels of a canvas have a colour of the style. */
function coloured(page, selector, colour) {
  return page.evaluate(([where, name]) => {
    const canvas = document.querySelector(where);
    const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const want = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 0; k < data.length; k += 4) {
      if (data[k + 3] > 100 && want.every((x, c) => Math.abs(data[k + c] - x) < 12)) count += 1;
    }
    return count;
  }, [selector, colour]);
}

/** Clicks, and gives the text that is saved. */
async function saved(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return readFile(await file.path(), "utf8");
}

const time = (page) => page.evaluate(() => window.pliant.player.t);
const markers = (page) =>
  page.evaluate(() => [...document.querySelectorAll(".marker")].map((one) => one.getBoundingClientRect().x));

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
    const [times] = plots.times;
    const find = (axis) => plots.runs[0].channels.find((one) => one.name === `fore.tip.position.${axis}`);
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

await test("all plots have data", "king.html", async (page) => {
  const keys = await page.$$eval(".tabs button", (tabs) => tabs.map((tab) => tab.dataset.key));
  assert.deepEqual(keys, ["joint", "bending", "tip", "force", "energy", "spectrum"]);
  for (const key of keys) {
    await page.click(`.tabs [data-key=${key}]`);
    await page.waitForSelector(".chart canvas");
    await drawn(page);
    const inked = await lined(page);
    assert.ok(inked.length > 0 && inked.every((count) => count > 200), `${key}: ${inked}`);
  }
  const count = await page.evaluate(() => {
    const { plots } = window.pliant;
    return plots.runs[0].channels.filter((one) => plots.values(one).every(Number.isFinite)).length;
  });
  assert.ok(count > 30, `${count} channels are finite`);
});

await test("cursor and zoom are shared", "king.html", async (page) => {
  const over = page.locator(".u-over").first();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + 0.4 * box.width, box.y + 40);
  assert.ok(Math.abs((await time(page)) - 2) < 0.02, `clicked at ${await time(page)} s`);
  const at = await markers(page);
  assert.ok(at.length > 1 && at.every((x) => Math.abs(x - box.x - 0.4 * box.width) < 2), String(at));
  await page.keyboard.down("Shift");
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  const ranges = await page.evaluate(() =>
    window.pliant.plots.shown.map(({ chart }) => [chart.scales.x.min, chart.scales.x.max]),
  );
  assert.ok(ranges.length > 1);
  for (const [from, to] of ranges) {
    assert.ok(Math.abs(from - 1) < 0.05 && Math.abs(to - 3) < 0.05, String(ranges));
  }
});

await test("the spectrum peaks at a natural frequency", "king.html", async (page) => {
  await page.click(".tabs [data-key=spectrum]");
  await page.selectOption("#spectrum-channel", "fore.z1");
  await page.waitForSelector(".spectrum canvas");
  const found = await page.evaluate(() => {
    const [hertz, size] = window.pliant.spectrum("fore.z1");
    // beyond the swing itself
    let best = 0;
    hertz.forEach((f, k) => {
      if (f > 1 && size[k] > size[best]) best = k;
    });
    const [from, to] = window.pliant.plots.window;
    return { peak: hertz[best], step: 1 / (to - from), free: window.pliant.plots.runs[0].frequencies.free };
  });
  const off = Math.min(...found.free.map((f) => Math.abs(f - found.peak)));
  // frequencies move with the posture: within two of what the rows can tell apart
  assert.ok(off < 2 * found.step, `${found.peak} Hz beside ${found.free}`);
  // opened again, it is the same page with the same listeners
  await page.click(".tabs [data-key=joint]");
  await page.click(".tabs [data-key=spectrum]");
  await drawn(page);
  assert.equal(await page.inputValue("#spectrum-channel"), "fore.z1");
  assert.equal(await page.locator(".spectrum canvas").count(), 1);
  const text = await saved(page, page.locator(".spectrum button", { hasText: "CSV" }));
  assert.match(text, /^frequency \[Hz\],fore\.z1 \[m\]\n/);
});

await test("the spectrum is right for fast tones", "king.html", async (page) => {
  const tones = await page.evaluate(() => {
    // rows, rate, tone as a part of the rate, and how far the times are off a grid
    const cases = [];
    for (const part of [0.02, 0.25, 0.4]) {
      for (const rows of [256, 1024, 1100, 60_001, 200_001]) cases.push({ part, rows, off: 0 });
    }
    cases.push({ part: 0.02, rows: 4000, off: 0.3 });
    return cases.map(({ part, rows, off }) => {
      const rate = 200;
      const times = Float64Array.from({ length: rows }, (_, k) => (k + off * Math.sin(k * k)) / rate);
      const values = times.map((t) => 7 + 3 * Math.sin(2 * Math.PI * part * rate * t + 0.4));
      const found = window.pliant.spectrumOfRows(times, values, times[0], times[rows - 1]);
      let best = 0;
      let beside = 0;
      found.size.forEach((x, k) => {
        if (x > found.size[best]) best = k;
        // what is folded or smeared would stand far from the tone
        if (Math.abs(found.hertz[k] - part * rate) > 0.1 * rate) beside = Math.max(beside, x);
      });
      const { hertz, size, resampled } = found;
      return { part, rows, off, peak: hertz[best] / rate, size: size[best] / 3, beside: beside / 3, resampled };
    });
  });
  for (const tone of tones) {
    const told = JSON.stringify(tone);
    assert.equal(tone.resampled, tone.off > 0, told);
    assert.ok(Math.abs(tone.peak - tone.part) < 0.5 / Math.min(tone.rows, 65536), told);
    assert.ok(Math.abs(tone.size - 1) < 0.02, told);
    assert.ok(tone.beside < (tone.off > 0 ? 0.02 : 1e-3), told);
  }
});

await test("ticks are few, whatever the range", "king.html", async (page) => {
  const counts = await page.evaluate(() =>
    [[0.3, 0.30000000000000004], [1 - 1.2e-16, 1], [1000, 1000.0000000000002], [9.81, 9.81 + 4e-15], [-1e308, 1e308], [0, 5e-324], [-1, 2], [2, 2]]
      .map(([low, high]) => window.pliant.ticks(low, high, 5).length),
  );
  assert.ok(counts.every((count) => count >= 1 && count <= 20), String(counts));
  assert.equal(counts[6], 4);
});

await test("plots are saved", "king.html", async (page) => {
  for (const [word, begins] of [["SVG", "<svg"], ["CSV", "t [s],upper [rad],fore [rad]\n0,"]]) {
    const text = await saved(page, page.locator(".plot header button", { hasText: word }).first());
    assert.ok(text.startsWith(begins), text.slice(0, 80));
    if (word === "CSV") assert.equal(text.trim().split("\n").length, 1002);
  }
});

await test("the words lead to instants", "king.html", async (page) => {
  assert.match(await page.textContent("#command"), /^pliant run .*scenario\.toml'? -o again$/);
  await page.locator(".instant").nth(1).click();
  const t = await time(page);
  const least = await page.evaluate(() => window.pliant.page.told.runs[0].words.extremes[0].most[1]);
  assert.equal(t, least);
});

await test("ghosts stand beside", "ghosts.html", async (page) => {
  await seek(page, 4);
  await pixels(page);
  await page.locator("label", { hasText: "ghosts" }).click();
  await drawn(page);
  const moved = await pixels(page);
  assert.ok(moved > 100, `${moved} pixels are of the ghost`);
  const dashed = await page.evaluate(() => {
    const { lines, chart } = window.pliant.plots.shown[0];
    return lines.filter((line, k) => line.run > 0 && chart.series[k + 1].dash.length > 0).length;
  });
  assert.equal(dashed, 2);
  // the rows of the two runs differ in time, and their lines still hang together
  const inked = await lined(page);
  assert.ok(inked.every((count) => count > 200), String(inked));
  await page.screenshot({ path: join(folder, "ghosts.png") });
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
  assert.ok((await page.locator(".words").textContent()).includes("</script><img src=x onerror=alert(1)>"));
});

await test("free, universal and sliding joints and branches are drawn", "joints.html", async (page) => {
  const links = await page.evaluate(() =>
    window.pliant.plots.runs[0].arm.links.map((link) => [link.name, link.parent, link.joint.kind]),
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
  const { free, locked } = await page.evaluate(() => window.pliant.plots.runs[0].frequencies);
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
  const { tracking } = await page.evaluate(() => window.pliant.plots.runs[0].words);
  assert.deepEqual(errors.map(([name]) => name), [...tracking.joints.map((joint) => joint.name), `tip ${tracking.tip.frame}`]);
  assert.ok(Math.abs(Number(errors[3][1]) / tracking.tip.most - 1) < 1e-4, errors[3].join(" "));
  assert.equal(motors.length, 3);
  assert.ok(motors.every((line) => Number(line[1]) >= Number(line[2]) && line[3] === "N m"), motors.join(" "));
});

let told = "";
await test("a minute of six links is not too large", "long.html", async (page) => {
  const { size } = await stat(join(folder, "long.html"));
  assert.ok(size < 25e6, `${size} bytes`);
  const found = await page.evaluate(() => {
    const [run] = window.pliant.plots.runs;
    const { responseEnd, domInteractive } = performance.getEntriesByType("navigation")[0];
    const script = window.pliant.readyAfter;
    return { rows: run.rows, thinned: run.thinned, channels: run.channels.length, instants: run.motion.count, script, loaded: domInteractive - responseEnd };
  });
  assert.deepEqual([found.rows, found.thinned, found.channels, found.instants], [12001, false, 134, 12001]);
  await seek(page, 0);
  await pixels(page);
  await seek(page, 1);
  assert.ok((await pixels(page)) > 300);
  await page.screenshot({ path: join(folder, "long.png") });
  const ms = (x) => Math.round(x);
  told = `; a minute of six links: ${(size / 1e6).toFixed(1)} MB, parsed in ${ms(found.loaded)} ms, ready ${ms(found.script)} ms after the script began`;
});

const { page } = await open(browser, join(folder, "king.html"));
const ready = await page.evaluate(() => Math.round(window.pliant.readyAfter));
console.log(`${passed} pages and their parts passed; ready ${ready} ms after the script began, drawn in software${told}`);
await browser.close();
