// Runs that are compared.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drawn, seek } from "./browser.mjs";
import { coloured, folder, lined, pixels, test } from "./harness.mjs";

const WIDE = { viewport: { width: 1440, height: 900 } };

await test("ghosts stand beside", "compare.html", async (page) => {
  await page.locator("label", { hasText: "trace" }).click();
  await seek(page, 0);
  const solid = await pixels(page);
  const flip = async () => {
    await page.locator("#compare input").nth(1).click();
    await drawn(page);
    return pixels(page);
  };
  // all arms are in the same place, and the first is seen as it is
  for (const k of [2, 3]) await page.locator("#compare input").nth(k).click();
  const tinted = await flip();
  assert.ok(tinted < 0.01 * solid, `${tinted} of ${solid} pixels are tinted`);
  await seek(page, 0.5);
  await pixels(page);
  const moved = await flip();
  assert.ok(moved > 300, `${moved} pixels are of the ghost`);
});

await test("runs with other times hang together", "ghosts.html", async (page) => {
  const inked = await lined(page);
  assert.ok(inked.length > 2 && inked.every((count) => count > 200), String(inked));
  await page.screenshot({ path: join(folder, "ghosts.png") });
});

await test("the best of each figure is marked", "compare.html", async (page) => {
  const rows = await page.$$eval("#compare tbody tr", (all) =>
    all.map((row) => [...row.cells].map((cell) => [cell.innerText.trim().replace(/\s+/g, " "), cell.classList.contains("best")])),
  );
  assert.deepEqual(rows.map(([[name]]) => name), ["plain", "shaped", "soft", "wild failed"]);
  const head = await page.$$eval("#compare th", (all) => all.map((one) => one.innerText.replace(/\s+/g, " ")));
  assert.ok(head.some((one) => /^largest error(, sag included)? (tip )?fore\.tip \[m\]$/.test(one)), String(head));
  // shaped plans end later: only times from the start can be compared
  assert.ok(head.some((one) => /^still from (tip )?fore\.tip \[s\]$/.test(one)) && !head.some((one) => one.startsWith("settling time")), String(head));
  let marked = 0;
  for (let k = 1; k < head.length - 1; k++) {
    const numbers = rows.slice(0, 3).map((row) => Number(row[k][0]));
    const known = numbers.filter(Number.isFinite);
    const limit = Math.min(...known) + 0.0101 * Math.max(...known);
    const best = rows.filter((row) => row[k][1]);
    marked += best.length;
    assert.ok(best.every((row) => Number(row[k][0]) <= limit), `${head[k]}: ${numbers}`);
  }
  assert.ok(marked > 3, `${marked} are marked`);
  const won = rows.map((row) => parseInt(row[row.length - 1][0], 10));
  rows.forEach((row, r) => assert.equal(won[r], row.slice(1, -1).filter(([, isBest]) => isBest).length));
  const champion = await page.$$eval("#compare .badge.good", (all) => all.map((one) => one.closest("tr").rowIndex - 1));
  assert.deepEqual(champion, won.flatMap((count, k) => (count === Math.max(...won) ? [k] : [])));
  assert.equal(await page.locator("#arms").count(), 0);
  // tracking and figures of every run
  assert.deepEqual(await page.$$eval("details summary", (all) => all.map((one) => one.textContent)), ["plain", "shaped", "soft", "wild"]);
  const figures = await page.evaluate(() => window.pliant.plots.first.figures.length);
  await page.locator("button", { hasText: `all ${figures}` }).click();
  assert.equal(await page.locator("table.figures tbody tr").count(), figures);
  const wide = await page.$$eval(".words .scroll", (all) => all.map((one) => one.scrollWidth - one.clientWidth));
  assert.ok(wide.every((over) => over <= 1), `columns are hidden: ${wide}`);
  const { height } = await page.locator(".tabs").boundingBox();
  const fits = await page.$eval(".tabs", (tabs) => tabs.scrollWidth <= tabs.clientWidth);
  assert.ok(height < 45 && fits, "tabs do not fit");
  await page.screenshot({ path: join(folder, "compare.png") });
}, WIDE);

// a run that broke down with figures that would be the best, and a joint named as its tip
const whole = await readFile(join(folder, "compare.html"), "utf8");
const changed = whole.replace(/(id="told">)([^<]*)/, (_, mark, json) => {
  const page = JSON.parse(json);
  for (const figure of page.told.runs[3].figures) figure.value = 0;
  page.told.runs.forEach(({ figures }, k) => Object.assign(figures.find(({ name }) => name === "still_from"), { value: k === 2 ? 1.5 : null }));
  for (const { figures } of page.told.runs) figures.push({ ...figures[0], label: "of a joint", unit: "rad", value: 1 });
  page.told.runs.forEach(({ figures }, k) => Object.assign(figures.find(({ name }) => name === "residual_amplitude"), { value: 1e-7 * k }));
  page.told.runs[1].words.facts = page.told.runs[1].words.facts.map(([label, text]) => [label, label === "Hash of the arm" ? "another" : text]);
  return mark + JSON.stringify(page).replaceAll("<", "\\u003c");
});
await writeFile(join(folder, "changed.html"), changed);

await test("a run that broke down is never the best", "changed.html", async (page) => {
  const { figures } = await page.evaluate(() => window.pliant.plots.first);
  await page.locator("button", { hasText: `all ${figures.length}` }).click();
  const best = await page.$$eval(".figures tbody tr, .compare tbody tr:last-child", (all) => all.map((row) => row.cells[row.cells.length - 1].classList.contains("best")));
  assert.ok(best.length === figures.length + 1 && best.every((one) => !one), String(best));
  assert.equal(await page.locator(".compare tbody tr:last-child .best").count(), 0);
  assert.equal(await page.locator(".figures td", { hasText: "of a joint" }).count(), 1);
  // of all runs only the third comes to rest
  const still = await page.$$eval(".compare tbody tr", (all) => all.map((row) => row.cells[1].classList.contains("best")));
  assert.deepEqual(still, [false, false, true, false]);
  // a tenth of a micrometre is nothing
  const head = await page.$$eval("#compare th", (all) => all.map((one) => one.textContent));
  const residual = head.findIndex((one) => one.startsWith("residual amplitude"));
  assert.equal(await page.$$eval(".compare tbody tr", (all, k) => all.filter((row) => row.cells[k].classList.contains("best")).length, residual), 0);
  assert.equal(await page.textContent("#arms"), "The arm is not the same in all runs.");
  assert.match(await page.getAttribute("#compare th:last-child", "title"), /within 1 % of the largest/);
  // the camera forgets what broke down, and nothing else
  const seen = await page.evaluate(() => window.pliant.view.framing.instants.map((all) => all.length));
  assert.ok(seen.slice(0, 3).every((count) => count === 61) && seen[3] < 20, String(seen));
});

await test("colour is the run, and its name shows or hides it", "compare.html", async (page) => {
  assert.equal(await page.getAttribute(".tabs [data-key=error]", "aria-selected"), "true");
  assert.equal(await page.evaluate(() => document.querySelector(".plot h3").firstChild.textContent), "fore.tip.error.distance");
  const colours = await page.evaluate(() => {
    const style = getComputedStyle(document.documentElement);
    const key = [0, 1, 2, 3].map((k) => style.getPropertyValue(`--line-${k}`).trim());
    const [{ chart, lines }] = window.pliant.plots.shown;
    const swatches = [...document.querySelectorAll("#compare tbody tr")].map((row) => row.style.getPropertyValue("--run"));
    return { key, swatches, drawn: lines.map((line, k) => [line.run, chart.series[k + 1].stroke()]) };
  });
  assert.deepEqual(colours.swatches, colours.key);
  assert.deepEqual(colours.drawn, colours.key.map((colour, run) => [run, colour]));
  const counts = async () => [
    await coloured(page, ".chart canvas", "--line-1"),
    await coloured(page, ".chart canvas", "--line-2"),
    await page.evaluate(() => window.pliant.view.models.map((model) => model.object.visible)),
  ];
  await seek(page, 0.5);
  assert.ok((await counts())[2].every(Boolean));
  // without the run that broke down all are seen
  await page.locator("#compare input").nth(3).click();
  await drawn(page);
  const before = await counts();
  assert.ok(before[0] > 100 && before[1] > 100, String(before));
  await page.locator("#compare input").nth(1).click();
  await drawn(page);
  const after = await counts();
  assert.ok(after[0] === 0 && after[1] > 100, String(after));
  assert.deepEqual(after[2], [true, false, true, false]);
  await page.locator("#compare b", { hasText: "soft" }).dblclick();
  await drawn(page);
  assert.deepEqual((await counts())[2], [false, false, true, false]);
  await page.click(".tabs [data-key=spectrum]");
  await drawn(page);
  const inked = await Promise.all(["--line-1", "--line-2"].map((colour) => coloured(page, ".spectrum canvas", colour)));
  assert.ok(inked[0] === 0 && inked[1] > 100, `${inked} pixels of spectra`);
  // plans that differ are each their run's, those that do not are one
  await page.locator("#compare b", { hasText: "soft" }).dblclick();
  await page.click(".tabs [data-key=joint]");
  await page.waitForSelector(".chart canvas");
  const plans = await page.evaluate(() => window.pliant.plots.shown[0].lines.filter((line) => line.dash.length > 0).map(({ run, colour }) => [run, colour]));
  assert.deepEqual(plans, [[0, 0], [1, 1], [2, 2], [3, 3]]);
});
