// The pages of the gallery: they open from disk, by day and by night and on a telephone.

import assert from "node:assert/strict";
import { join } from "node:path";
import { folder, test } from "./harness.mjs";

const PHONE = { width: 390, height: 844 };
const FIRST = ".card h2 a";

/** By how much a page is wider than its window. */
const beyond = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

await test("the gallery leads to its documents", "gallery/index.html", async (page) => {
  const links = await page.$$eval(FIRST, (all) => all.map((one) => one.getAttribute("href")));
  assert.ok(links.length >= 2, links.join(" "));
  await page.screenshot({ path: join(folder, "gallery-light.png"), fullPage: true });
  for (const link of links) {
    await page.click(`.card h2 a[href="${link}"]`);
    const told = await page.$$eval("td.reproduced .ours", (all) => all.length);
    assert.ok(told > 0, `${link} has ${told} numbers that are reproduced`);
    const figures = await page.$$eval("figure", (all) =>
      all.map((one) => [one.querySelectorAll("svg path").length, one.textContent]),
    );
    for (const [paths, words] of figures) {
      assert.ok(paths > 5, `${words}: ${paths} paths`);
      assert.match(words, /Source: /);
    }
    await page.screenshot({ path: join(folder, `gallery-${link.replace(".html", "")}-light.png`), fullPage: true });
    await page.click("nav a");
  }
}, { plain: true });

await test("the gallery is dark by night", "gallery/index.html", async (page) => {
  await page.click(FIRST);
  const [ground, ink] = await page.evaluate(() => {
    const axis = document.querySelector("svg text, svg [fill='#222222']");
    return [getComputedStyle(document.body).backgroundColor, getComputedStyle(axis).fill];
  });
  const light = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
  assert.ok(light(ground) < 150, ground);
  assert.ok(light(ink) > 400, ink);
  await page.screenshot({ path: join(folder, "gallery-dark.png"), fullPage: true });
}, { theme: "dark", plain: true });

await test("the gallery fits a telephone", "gallery/index.html", async (page) => {
  assert.ok((await beyond(page)) <= 0, "the first page is too wide");
  await page.screenshot({ path: join(folder, "gallery-phone.png") });
  for (const link of await page.$$eval(FIRST, (all) => all.map((one) => one.href))) {
    await page.goto(link);
    assert.ok((await beyond(page)) <= 0, `${link} is too wide`);
  }
  await page.screenshot({ path: join(folder, "gallery-phone-page.png") });
}, { viewport: PHONE, plain: true });
