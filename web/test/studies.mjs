// Pages of studies: the response, sensitivities, parallel coordinates, the table and the way to a run.

import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drawn } from "./browser.mjs";
import { folder, saved, test } from "./harness.mjs";

/** What a page holds, and what is looked at. */
const about = (page) =>
  page.evaluate(() => {
    const { study, state } = window.pliant;
    const names = (columns) => columns.map((one) => one.name);
    return {
      rows: study.told.rows,
      count: study.count,
      parameters: names(study.parameters),
      figures: names(study.figures),
      view: [state.figure.name, state.over.name, state.by?.name ?? null],
      passing: state.passing,
      chosen: state.chosen < 0 ? null : study.run(state.chosen),
    };
  });

/** How many pixels of a canvas differ from its corner. */
const inked = (page, selector) =>
  page.evaluate((where) => {
    const canvas = document.querySelector(where);
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 3; k < data.length; k += 4) count += Number(data[k] > 60);
    return count;
  }, selector);

const study = (name) => join(name, "report.html");

await test("a study shows its response, and odd names stay names", study("study"), async (page) => {
  const { rows, parameters, view, figures } = await about(page);
  assert.equal(rows, 24);
  assert.deepEqual(parameters, ["<img src=x onerror=alert(1)>&\"", "angle", "integrator"]);
  assert.deepEqual(view.slice(1), [parameters[0], "angle"]);
  assert.equal(await page.locator("img").count(), 0);
  assert.ok(figures.includes("hub.settling_time"));
  assert.ok((await inked(page, "#response")) > 2000, "no response is drawn");
  assert.ok((await inked(page, "#parallel")) > 4000, "no lines are drawn");
  // curves by the second parameter, in degrees
  assert.deepEqual(await page.locator("#responses .legend .chip").allTextContents(), ["angle", "30 deg", "60 deg", "90 deg"]);
  assert.equal(await page.textContent("#failed"), "6 failed");
  assert.match(await page.textContent("#responses code"), /^pliant plot .*study'? --figure \S+ --over '<img.*' --by angle$/);
});

await test("values are those of the table", study("study"), async (page) => {
  const csv = await saved(page, page.locator("#csv"));
  const [head, ...lines] = csv.trim().split("\n");
  assert.match(head, /^index,"<img src=x onerror=alert\(1\)>&"" \[kg\]",angle \[rad\],integrator,/);
  assert.equal(lines.length, 24);
  const told = await page.evaluate(() => {
    const { study } = window.pliant;
    return study.columns.map((one) => (one.words ? [...one.values].map((x) => one.words[x]) : [...one.values].map((x) => (Number.isNaN(x) ? "" : String(x)))));
  });
  lines.forEach((line, k) => assert.ok(line.startsWith(`${k},${told[1][k]},${told[2][k]},${told[3][k]},`), line));
  // minus a kilogram is no arm
  assert.ok(lines[23].startsWith("23,-1,") && /,refused,/.test(lines[23]), lines[23]);
  const cells = await page.locator("table.runs tbody tr").nth(5).locator("td").allTextContents();
  assert.deepEqual(cells.slice(0, 5), ["5", "completed", "0.2", "90", "radau5"]);
});

await test("a run is chosen by the mouse, and leads to its page", study("study"), async (page) => {
  const at = await page.evaluate(() => {
    const { drawn } = window.pliant.response;
    const k = drawn.rows.indexOf(1);
    return [drawn.x[k], drawn.y[k]];
  });
  const box = await page.locator("#response").boundingBox();
  await page.mouse.move(box.x + at[0], box.y + at[1]);
  assert.match(await page.textContent("#responses .hover b"), /^run [01]$/);
  await page.mouse.click(box.x + at[0], box.y + at[1]);
  assert.ok([0, 1].includes((await about(page)).chosen));
  await page.click("#run h2 button");
  assert.equal((await about(page)).chosen, null);
  await page.locator("table.runs tbody tr").nth(1).click();
  assert.equal((await about(page)).chosen, 1);
  assert.equal(await page.locator("#run a").getAttribute("href"), "runs/1/report.html");
  assert.match(await page.textContent("#run code"), /^pliant run .*study'? --row 1$/);
  const told = await page.evaluate(() => window.pliant.study.figures.map((one) => [one.label, one.values[1]]).filter(([, x]) => Number.isFinite(x)).length);
  assert.equal(await page.locator("#run .tall dt").count(), told);
  // another run has no page yet, and one that is refused none at all
  await page.locator("table.runs tbody tr").nth(2).locator("button").focus();
  await page.keyboard.press("Enter");
  assert.equal((await about(page)).chosen, 2);
  assert.equal(await page.locator("#run a").count(), 0);
  assert.match(await page.textContent("#run code"), / --row 2$/);
  await page.locator("table.runs tbody tr").nth(20).click();
  assert.equal(await page.textContent("#run .badge"), "refused");
  assert.equal(await page.locator("#run code").count(), 0);
  assert.ok((await page.textContent("#run .alert")).length > 10);
});

await test("ranges filter, by hand and by keys", study("study"), async (page) => {
  const handle = page.locator(".handle[data-name=angle]");
  await handle.scrollIntoViewIfNeeded();
  const box = await handle.boundingBox();
  const x = box.x + box.width / 2;
  // the upper part of the axis: 90 degrees alone
  await page.mouse.move(x, box.y + 38);
  await page.mouse.down();
  await page.mouse.move(x, box.y + 90, { steps: 4 });
  await page.mouse.up();
  assert.equal((await about(page)).passing, 8);
  await drawn(page);
  assert.equal(await page.textContent("#passing"), "8 of 24 runs");
  assert.equal(await page.locator("table.runs tbody tr").count(), 8);
  const angles = await page.locator("table.runs tbody tr td:nth-child(4)").allTextContents();
  assert.ok(angles.every((one) => one === "90"), String(angles));
  // a click takes the range away
  await page.mouse.click(x, box.y + 150);
  assert.equal((await about(page)).passing, 24);
  await handle.focus();
  for (let k = 0; k < 3; k++) await page.keyboard.press("ArrowDown");
  assert.equal((await about(page)).passing, 16, "the upper end is below 90 degrees");
  for (let k = 0; k < 3; k++) await page.keyboard.press("Shift+ArrowUp");
  assert.equal((await about(page)).passing, 8, "the lower end is above 30 degrees");
  await page.waitForFunction(() => /^39 deg to 81 deg$/.test(document.querySelector(".handle[data-name=angle]").getAttribute("aria-valuetext")));
  // those that failed apart
  await page.locator("button.chip", { hasText: "refused" }).click();
  assert.equal((await about(page)).passing, 6);
  await page.focus(".handle[data-name=angle]");
  await page.keyboard.press("Escape");
  assert.equal((await about(page)).passing, 18);
  await page.click("#all");
  assert.equal((await about(page)).passing, 24);
});

await test("the table is sorted, and keys go from run to run", study("study"), async (page) => {
  const head = page.locator("table.runs th button", { hasText: "settling time" }).first();
  await head.click();
  const column = await page.evaluate(() => [...document.querySelectorAll("table.runs th")].findIndex((one) => one.hasAttribute("aria-sort")));
  const cells = async () => (await page.locator(`table.runs tbody tr td:nth-child(${column + 1})`).allTextContents()).filter((one) => one !== "–").map(Number);
  const up = await cells();
  assert.ok(up.length > 10 && up.every((x, k) => k === 0 || x >= up[k - 1]), String(up));
  await page.locator("table.runs th button", { hasText: "settling time" }).first().click();
  const down = await cells();
  assert.deepEqual(down, [...up].reverse());
  await page.focus("#response");
  await page.keyboard.press("ArrowRight");
  const first = (await about(page)).chosen;
  await page.keyboard.press("ArrowRight");
  assert.notEqual((await about(page)).chosen, first);
});

await test("two dense parameters make a map", study("plane"), async (page) => {
  const { view, count } = await about(page);
  assert.deepEqual([view[1], view[2], count], ["payload", "stiffness", 120]);
  assert.match(await page.textContent("#reading"), /^Each cell is a run\./);
  // the colour of a cell is that of its number
  const same = await page.evaluate(() => {
    const { study, state, response } = window.pliant;
    const canvas = document.getElementById("response");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const ratio = devicePixelRatio || 1;
    const light = (row) => {
      const at = response.drawn.rows.indexOf(row);
      const [x, y] = [response.drawn.x[at], response.drawn.y[at]].map((one) => Math.floor(one * ratio));
      const [r, g, b] = data.subarray(4 * (y * canvas.width + x));
      return 0.3 * r + 0.59 * g + 0.11 * b;
    };
    const { values } = state.figure;
    const order = [...values.keys()].filter((k) => Number.isFinite(values[k])).sort((a, b) => values[a] - values[b]);
    return [light(order[0]), light(order[order.length - 1]), study.count];
  });
  assert.ok(same[1] > same[0] + 60, `the least is ${same[0]}, the most ${same[1]} light`);
  await page.selectOption("#by", "0");
  await page.waitForFunction(() => !/cell/.test(document.getElementById("reading").textContent));
  await page.screenshot({ path: join(folder, "plane.png") });
});

await test("sensitivities have bars with intervals", study("drawn"), async (page) => {
  const { sensitivities } = await page.evaluate(() => window.pliant.study.told);
  const shown = await page.evaluate(() => window.pliant.state.figure.name);
  const own = sensitivities.filter((one) => one.figure === shown).sort((a, b) => b.total[0] - a.total[0]);
  assert.equal(own.length, 3);
  const lines = await page.locator("table.sobol tr").evaluateAll((all) => all.map((one) => [one.cells[0].textContent, one.cells[2].innerText.split("\n")]));
  lines.forEach(([name, parts], k) => {
    assert.equal(name, own[k].parameter);
    [own[k].first, own[k].total].forEach((part, at) => assert.ok(Math.abs(Number(parts[at]) - part[0]) < 6e-4, `${name}: ${parts} for ${part}`));
  });
  const bars = await page.locator("table.sobol .track").evaluateAll((all) => all.map((one) => [one.querySelector("i").getBoundingClientRect().width, one.getBoundingClientRect().width, one.querySelector("b").getBoundingClientRect().width]));
  const ends = own.flatMap((one) => [...one.first, ...one.total]);
  const span = Math.max(1, ...ends) - Math.min(0, ...ends);
  own.flatMap((one) => [one.first, one.total]).forEach(([value, low, high], k) => {
    assert.ok(Math.abs(bars[k][0] / bars[k][1] - Math.abs(value) / span) < 0.02, `a bar for ${value} is ${bars[k]}`);
    assert.ok(Math.abs(bars[k][2] / bars[k][1] - (high - low) / span) < 0.02, `an interval from ${low} to ${high} is ${bars[k]}`);
  });
  await page.screenshot({ path: join(folder, "drawn.png") });
});

await test("an optimisation shows its front", study("front"), async (page) => {
  const { view, figures } = await about(page);
  assert.deepEqual(view, ["payload", "servo.hub.force.peak_torque", null]);
  assert.ok(figures.includes(view[1]));
  assert.match(await page.textContent("#reading"), /on the Pareto front/);
  // checked by pairs: nobody on the front is beaten by a trial that keeps all constraints
  const [told, beaten] = await page.evaluate(() => {
    const { study, state } = window.pliant;
    const [load, torque] = [state.figure.values, state.over.values];
    const good = [...load.keys()].filter((k) => study.isFeasible(k));
    const beats = (a, b) => load[a] >= load[b] && torque[a] <= torque[b] && (load[a] > load[b] || torque[a] < torque[b]);
    const front = good.filter((k) => !good.some((other) => beats(other, k)));
    const told = Number(/^(\d+)/.exec(document.getElementById("reading").textContent)[1]);
    const alike = new Set(front.map((k) => `${load[k]} ${torque[k]}`));
    return [told, alike.size];
  });
  assert.equal(told, beaten);
  await page.selectOption("#over", { label: "run" });
  await page.waitForFunction(() => /best so far/.test(document.getElementById("reading").textContent));
  await page.screenshot({ path: join(folder, "front.png") });
});

await test("an optimisation begins with its best trial", study("best"), async (page) => {
  const [row, run, most, unit] = await page.evaluate(() => {
    const { study } = window.pliant;
    const { values, unit } = study.parameters[0];
    const good = [...values.keys()].filter((k) => study.isFeasible(k));
    const row = good.reduce((best, k) => (values[k] > values[best] ? k : best));
    return [row, study.run(row), values[row], unit];
  });
  const words = await page.locator("#best").innerText();
  assert.match(words, new RegExp(`^Best trial\\s+trial ${run}: largest payload\\s+payload\\s+${Number(most.toPrecision(5))} ${unit}`));
  // by how much it keeps the constraint, from the row itself
  const slack = await page.evaluate((k) => 0.05 - window.pliant.study.figures.find((one) => one.name === "hub.rms_error").values[k], row);
  const [, told] = /\{hub\.rms_error\} < 0\.05\s+by (\S+)/.exec(words) ?? [];
  assert.ok(Math.abs(Number(told) - slack) <= 1e-5 * slack + 1e-12, `${told} for ${slack}`);
  assert.match(await page.textContent("#best code"), new RegExp(`^pliant run .*best'? --row ${run}$`));
  const { y, height } = await page.locator("#best").boundingBox();
  assert.ok(y + height < 500, `it ends at ${y + height} px`);
  await page.locator("#best h4 button").click();
  assert.equal((await about(page)).chosen, run);
  await page.screenshot({ path: join(folder, "best.png") });
});

await test("two figures have the ends of their front", study("front"), async (page) => {
  const ends = await page.evaluate(() => {
    const { study } = window.pliant;
    const [torque, load] = [study.figures.find((one) => /peak_torque$/.test(one.name)), study.parameters[0]].map((one) => one.values);
    const good = [...load.keys()].filter((k) => study.isFeasible(k));
    const first = (better) => study.run(good.reduce((best, k) => (better(k, best) ? k : best)));
    return [first((a, b) => torque[a] < torque[b]), first((a, b) => load[a] > load[b])];
  });
  const heads = await page.locator("#best h4").allTextContents();
  assert.deepEqual(heads.map((one) => Number(/^trial (\d+): /.exec(one)[1])), ends);
  assert.match(heads[0], /: smallest /);
  assert.match(heads[1], /: largest payload$/);
  assert.equal(await page.locator("#best code").count(), 2);
  assert.match(await page.locator("#best").innerText(), /The ends of a front of \d+ trials, of \d+ that keep all constraints\./);
});

/** A page like that of an optimisation, of which something else was found. */
async function retold(from, to, optimum) {
  const html = await readFile(join(folder, study(from)), "utf8");
  const changed = html.replace(/(<script[^>]*id="told"[^>]*>)([^]*?)(<\/script>)/, (_, begin, text, end) => {
    const page = JSON.parse(text);
    Object.assign(page.told.optimisation.optimum, optimum);
    return begin + JSON.stringify(page).replaceAll("<", "\\u003c") + end;
  });
  await writeFile(join(folder, to), changed);
}

const without = "none of 12 trials that ended has a number of hub.settling_time";
await retold("best", "without.html", { ends: [], front: 0, feasible: 0, used_up: true, is_constrained: false, without });
await test("why there is no best trial is told", "without.html", async (page) => {
  const words = await page.locator("#best").innerText();
  assert.match(words, /None of 12 trials that ended has a number of hub\.settling_time\. All \d+ trials were used/);
  assert.doesNotMatch(words, /constraint/);
});

await retold("best", "free.html", { feasible: 7, used_up: false, is_constrained: false });
await test("without constraints none is kept", "free.html", async (page) => {
  assert.match(await page.locator("#best").innerText(), /Of 7 trials that ended with figures\./);
});

await test("runs without a figure are counted", study("restless"), async (page) => {
  const [missing, ended] = await page.evaluate(() => {
    const { study } = window.pliant;
    const settles = study.figures.find((one) => /tip\.settling_time$/.test(one.name)).values;
    return [[...settles].filter((x) => Number.isNaN(x)).length, study.count];
  });
  assert.ok(missing > 0 && missing < ended, `${missing} of ${ended}`);
  const head = await page.locator("table.figures th").allTextContents();
  assert.equal(head.at(-1), "without");
  const line = page.locator("table.figures tbody tr", { hasText: /tip: settling time/ }).first();
  assert.equal(await line.locator("td").last().textContent(), String(missing));
  assert.match(await page.textContent("#without"), new RegExp(`^Of ${ended} runs that ended, .* not settled, or no rest after the plan`));
});

await test("a page of many runs has some of them, evenly chosen", study("many"), async (page) => {
  const { size } = await stat(join(folder, "many", "report.html"));
  assert.ok(size < 12e6, `${size} bytes`);
  const { rows, count } = await about(page);
  assert.deepEqual([rows, count], [30000, 20000]);
  assert.match(await page.textContent("#sampled"), /^The page has 20000 of 30000 runs: /);
  assert.equal(await page.locator("table.runs tbody tr").count(), 25);
  await page.locator("button", { hasText: "more of" }).click();
  assert.equal(await page.locator("table.runs tbody tr").count(), 225);
  assert.match(await page.textContent("#figures"), /No run has a figure/);
});

await test("medians of many runs at one place take one pass", study("many"), async (page) => {
  const sets = await page.evaluate(() => {
    const { study, state, response } = window.pliant;
    const [over, figure] = [study.parameters[0], study.figures[0]];
    over.values.fill(over.range[0]);
    over.levels = [over.range[0]];
    figure.values.forEach((_, k) => (figure.values[k] = k));
    figure.range = [0, study.count];
    Object.assign(state, { figure, over, by: null });
    const { set } = Map.prototype;
    let count = 0;
    Map.prototype.set = function (...entry) {
      count += 1;
      return set.apply(this, entry);
    };
    response.draw();
    Map.prototype.set = set;
    return [count, response.drawn.rows.length];
  });
  assert.equal(sets[1], 20000);
  // one list, which is not made anew for every run
  assert.ok(sets[0] < 100, `${sets[0]} lists`);
});

await test("failed trials are drawn apart", study("front"), async (page) => {
  const chips = () => page.locator("#responses .legend .chip").allTextContents();
  const kept = await page.evaluate(() => {
    const { study, state } = window.pliant;
    const row = [...Array(study.count).keys()].find((k) => study.isFeasible(k) && Number.isFinite(state.figure.values[k]));
    study.feasible[row] = NaN;
    state.look({});
    return study.isFeasible(row);
  });
  assert.equal(kept, false);
  await drawn(page);
  assert.equal((await chips()).filter((word) => word === "failed").length, 1);
});

await test("no command is told of a run that cannot be made alone", study("study"), async (page) => {
  await page.evaluate(() => {
    const { study, state } = window.pliant;
    study.alone = new Float64Array(study.count).fill(1);
    study.alone[2] = 0;
    state.choose(2);
  });
  assert.equal(await page.locator("#run code").count(), 0);
  assert.match(await page.textContent("#run"), /no run can be made again alone/);
  await page.evaluate(() => window.pliant.state.choose(3));
  assert.match(await page.textContent("#run code"), / --row 3$/);
});

await test("stiffnesses and forces have prefixes", study("study"), async (page) => {
  const head = await page.evaluate(() => {
    const { study, state } = window.pliant;
    for (const [k, unit, most] of [[0, "Pa", 69e9], [1, "N m/rad", 4e4]]) Object.assign(study.figures[k], { unit, range: [0, most], values: study.figures[k].values.fill(most) });
    state.look({ figure: study.figures[0] });
    return [...document.querySelectorAll("table.runs th")].map((one) => one.textContent);
  });
  assert.ok(head.some((word) => /\[GPa\]/.test(word)) && head.some((word) => /\[kN m\/rad\]/.test(word)), String(head));
  assert.match(await page.locator("table.runs tbody tr").nth(1).innerText(), /\b69\b/);
});

await test("a study on a phone", study("study"), async (page) => {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `the page is ${over} px too wide`);
  for (const id of ["#figure", "#over", "#by", "#log", "#theme", "#response"]) {
    const { x, width } = await page.locator(id).boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `${id} from ${x} px, ${width} px wide`);
  }
  // a run is taken by a finger, and shown
  await page.locator("table.runs tbody tr").nth(3).click();
  assert.equal((await about(page)).chosen, 3);
  await page.screenshot({ path: join(folder, "study-phone.png"), fullPage: true });
}, { viewport: { width: 390, height: 844 } });

await test("the best trial on a phone", study("best"), async (page) => {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `the page is ${over} px too wide`);
  const { x, width, y } = await page.locator("#best code").boundingBox();
  assert.ok(x >= 0 && x + width <= 390 && y < 844, `the command from ${x} px, ${width} px wide, ${y} px down`);
  await page.screenshot({ path: join(folder, "best-phone.png") });
}, { viewport: { width: 390, height: 844 } });

await test("a study in the dark", study("study"), async (page) => {
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [r, g, b] = colour.match(/\d+/g).map(Number);
  assert.ok(r + g + b < 150, colour);
  await page.screenshot({ path: join(folder, "study-dark.png") });
  await page.keyboard.press("t");
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), colour);
  await drawn(page);
  await page.screenshot({ path: join(folder, "study-light.png") });
}, { theme: "dark", viewport: { width: 1440, height: 1000 } });
