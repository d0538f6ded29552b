// Plots: what they show, and what hands do with them.

import assert from "node:assert/strict";
import { drawn } from "./browser.mjs";
import { coloured, lined, markers, saved, test, time } from "./harness.mjs";

await test("all plots have data", "king.html", async (page) => {
  const keys = await page.$$eval(".tabs button", (tabs) => tabs.map((tab) => tab.dataset.key));
  assert.deepEqual(keys, ["joint", "bending", "tip", "force", "energy", "channels", "xy", "spectrum"]);
  for (const key of keys.filter((one) => one !== "channels" && one !== "xy")) {
    await page.click(`.tabs [data-key=${key}]`);
    await page.waitForSelector(".chart canvas");
    await drawn(page);
    const inked = await lined(page);
    assert.ok(inked.length > 0 && inked.every((count) => count > 200), `${key}: ${inked}`);
  }
  const count = await page.evaluate(() => {
    const { plots } = window.pliant;
    return plots.first.channels.filter((one) => plots.values(one).every(Number.isFinite)).length;
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
  // the time stays where it is, in all plots
  await drawn(page);
  const [[from, to]] = ranges;
  const x = box.x + (box.width * (2 - from)) / (to - from);
  assert.ok((await markers(page)).every((one) => Math.abs(one - x) < 3), `${await markers(page)} for ${x}`);
});

await test("wheel and drag zoom times and values", "king.html", async (page) => {
  const over = page.locator(".u-over").first();
  const box = await over.boundingBox();
  const ranges = () => page.evaluate(() => {
    const { x, y } = window.pliant.plots.shown[0].chart.scales;
    return [x.min, x.max, y.min, y.max];
  });
  const whole = await ranges();
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 50);
  await page.mouse.wheel(0, -100);
  await drawn(page);
  const [from, to, ...same] = await ranges();
  // by a fifth, about the mouse
  assert.ok(Math.abs(to - from - 4) < 0.05 && Math.abs(from - 0.25) < 0.05, `${from} to ${to}`);
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.mouse.move(box.x - 20, box.y + 0.5 * box.height);
  await page.mouse.wheel(0, -100);
  await drawn(page);
  const [, , low, high] = await ranges();
  assert.ok(Math.abs((high - low) / (same[1] - same[0]) - 0.8) < 0.01, `${low} to ${high} of ${same}`);
  await over.dblclick();
  await drawn(page);
  assert.deepEqual(await ranges(), whole);
  // a box selects both
  await page.locator(".drag button", { hasText: "zoom" }).click();
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 0.2 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.7 * box.height, { steps: 4 });
  await page.mouse.up();
  await drawn(page);
  const [a, b, c, d] = await ranges();
  assert.ok(Math.abs(b - a - 2) < 0.05, `${a} to ${b}`);
  assert.ok(Math.abs((d - c) / (whole[3] - whole[2]) - 0.5) < 0.03, `${c} to ${d} of ${whole}`);
  await page.click("#all");
  await drawn(page);
  assert.deepEqual(await ranges(), whole);
});

await test("time and values stand beside the mouse", "king.html", async (page) => {
  const box = await page.locator(".u-over").first().boundingBox();
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 40);
  const told = await page.locator(".hover:visible").innerText();
  assert.match(told, /^t = (2|1\.99\d*|2\.00\d*) s/);
  const [name, value] = [/upper/.test(told), Number(told.split("\n").find((line) => /^-?\d/.test(line)))];
  const upper = await page.evaluate(() => {
    const { plots } = window.pliant;
    return (plots.values(plots.runs.find(0, "upper"))[400] * 180) / Math.PI;
  });
  // half a row away, at most
  assert.ok(name && Math.abs(value - upper) < 1, `${told} for ${upper}`);
  assert.equal(await page.textContent(".plot .unit"), "deg");
  await page.locator(".drag button", { hasText: "SI" }).click();
  assert.equal(await page.textContent(".plot .unit"), "rad");
  await page.click(".tabs [data-key=bending]");
  assert.equal(await page.textContent(".plot .unit"), "m");
  await page.locator(".drag button", { hasText: "deg, mm" }).click();
  assert.equal(await page.textContent(".plot .unit"), "mm");
});

await test("plans lie over what they plan, and errors have a tab", "shaped.html", async (page) => {
  const keys = await page.$$eval(".tabs button", (tabs) => tabs.map((tab) => tab.dataset.key));
  assert.deepEqual(keys.slice(0, 2), ["joint", "error"]);
  const lines = await page.evaluate(() => {
    const { lines, chart } = window.pliant.plots.shown[0];
    return lines.map((line, k) => [line.name, line.colour, chart.series[k + 1].dash?.length ?? 0, line.isHeld, chart.series[k + 1].pxAlign]);
  });
  const dashed = Object.fromEntries(lines.map(([name, colour, dash]) => [name, [colour, dash > 0]]));
  assert.deepEqual(dashed, { upper: [0, false], "plan.upper": [0, true], fore: [1, false], "plan.fore": [1, true] });
  // whole pixels would be stairs
  assert.ok(lines.every(([, , , isHeld, align]) => !isHeld && align === 0), String(lines));
  const found = await page.evaluate(() => {
    const { runs, groups } = window.pliant.plots;
    const [error, plan, upper, command] = ["upper.error", "plan.upper", "upper", "servo.upper.force"].map((name) => runs.values(runs.find(0, name)));
    const off = Math.max(...error.map((x, k) => Math.abs(x - (plan[k] - upper[k]))));
    // the last half second, where the arm is nearly still
    const tail = new Set(upper.slice(-100)).size;
    const others = groups.find(({ key }) => key === "other").plots.flatMap(({ channels }) => channels.map(({ name }) => name));
    return { off, most: Math.max(...error.map(Math.abs)), tail, others, command: command.length };
  });
  // steps of a block of a motion of 60 deg
  assert.ok(found.off < 5e-5 && found.most > 0.01, JSON.stringify(found));
  assert.ok(found.tail > 90, `${found.tail} of 100 values differ`);
  assert.ok(found.others.every((name) => !name.startsWith("plan.")), String(found.others));
  // what a controller holds for two rows is drawn as it is held
  await page.click(".tabs [data-key=other]");
  await page.waitForSelector(".chart canvas");
  const held = await page.evaluate(() => window.pliant.plots.shown[0].lines.map(({ name, isHeld }) => [name, isHeld]));
  assert.ok(held.length > 0 && held.every(([, isHeld]) => isHeld), String(held));
});

await test("channels are searched, chosen and drawn over one another", "shaped.html", async (page) => {
  await page.click(".tabs [data-key=channels]");
  await page.fill("#find", "fore*rate rad/s");
  assert.deepEqual(await page.$$eval(".found label", (all) => all.map((one) => one.firstChild.nextSibling.textContent)), ["fore.rate"]);
  await page.press("#find", "Enter");
  await page.fill("#find", "position");
  await page.locator(".found label", { hasText: "fore.tip.position.y" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".plot-list canvas").length === 2);
  assert.deepEqual(await page.$$eval(".plot-list h3", (all) => all.map((one) => one.firstChild.textContent)), ["fore.rate", "fore.tip.position.y"]);
  await page.click(".tabs [data-key=joint]");
  await page.click(".tabs [data-key=channels]");
  assert.equal(await page.locator(".plot-list .plot").count(), 2, "what was chosen is lost");
  await page.click(".tabs [data-key=xy]");
  await drawn(page);
  assert.deepEqual([await page.inputValue("#xy-x"), await page.inputValue("#xy-y")], ["fore.tip.position.x", "fore.tip.position.y"]);
  assert.ok((await coloured(page, "#xy", "--line-0")) > 200);
  await page.evaluate(() => window.pliant.player.seek(1));
  const expected = await page.evaluate(() => {
    const { runs } = window.pliant.plots;
    return ["x", "y"].map((axis) => runs.values(runs.find(0, `fore.tip.position.${axis}`))[200]);
  });
  const numbers = [...(await page.textContent("#xy-reading")).matchAll(/= (-?[\d.]+) /g)].map(([, x]) => Number(x));
  assert.equal(numbers[0], 1);
  expected.forEach((x, k) => assert.ok(Math.abs(numbers[k + 1] - x) < 1e-3, `${numbers} for ${expected}`));
  await page.fill("#xy-x", "upper");
  await page.locator("#xy-x").blur();
  const text = await saved(page, page.locator(".xy button", { hasText: "CSV" }));
  assert.match(text, /^upper \[rad\],fore\.tip\.position\.y \[m\]\n/);
  assert.equal(text.trim().split("\n").length, 602);
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
    return { peak: hertz[best], step: 1 / (to - from), free: window.pliant.plots.first.frequencies.free };
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
