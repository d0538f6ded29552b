// The pages of the gallery: they open from disk, by day and by night and on a telephone.

import assert from "node:assert/strict";
import { join } from "node:path";
import { folder, test } from "./harness.mjs";

const PHONE = { width: 390, height: 844 };
const FIRST = ".card h2 a[href$='.html']";

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

/** Addresses on a page that lead nowhere, and ids that are there twice. */
const lost = (page) =>
  page.evaluate(() => {
    const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
    const own = [...document.querySelectorAll("a[href^='#']")].map((one) => decodeURIComponent(one.hash.slice(1)));
    return [own.filter((id) => !ids.includes(id)), ids.filter((id, k) => ids.indexOf(id) !== k)];
  });

await test("everything in the gallery has an address", "gallery/index.html", async (page) => {
  const links = await page.$$eval(".entries a", (all) => all.map((one) => one.href));
  assert.ok(links.length >= 5, links.join(" "));
  for (const link of links) {
    await page.goto(link);
    assert.deepEqual(await lost(page), [[], []], link);
    const id = new URL(link).hash.slice(1);
    const rows = await page.$$eval(`[id="${id}"] tbody tr`, (all) => all.map((one) => one.id));
    assert.ok(rows.length > 0 && rows.every((row) => row.startsWith(`${id}.`)), rows.join(" "));
    await page.goto(`${link.split("#")[0]}#${rows.at(-1)}`);
    const isSeen = await page.evaluate((row) => {
      const place = document.getElementById(row).getBoundingClientRect();
      return place.bottom > 0 && place.top < window.innerHeight;
    }, rows.at(-1));
    assert.ok(isSeen, `${rows.at(-1)} is not shown`);
  }
}, { plain: true });

await test("numbers of the gallery stand in columns", "gallery/king.html", async (page) => {
  const columns = await page.evaluate(() => {
    const tables = [...document.querySelectorAll("section.table")];
    const table = tables.find((one) => one.querySelector("h3").textContent === "Table 3.2, finite elements");
    const rows = [...table.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td")]);
    const right = (cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell.querySelector(".ours") ?? cell);
      return range.getBoundingClientRect().right;
    };
    return rows[0].map((_, k) => rows.map((row) => [row[k].textContent, right(row[k])]));
  });
  assert.equal(columns.length, 3);
  for (const column of columns.slice(0, 2)) {
    const edges = column.map(([, edge]) => edge);
    assert.ok(Math.max(...edges) - Math.min(...edges) < 1, JSON.stringify(column));
  }
  // as it is printed
  assert.deepEqual(columns[0].map(([words]) => words), ["1.88", "1.33", "1.09", "0.943", "0.844"]);
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

/** Colours of a picture along a row of its pixels. */
const colours = (page, picture, row) =>
  page.evaluate(async ([bytes, at]) => {
    const raw = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([raw]));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, at, image.width, 1);
    return Array.from({ length: image.width }, (_, k) => [...data.slice(4 * k, 4 * k + 3)]);
  }, [picture.toString("base64"), row]);

/** Whether there is a shadow at the left and the right edge of what scrolls: how far colours go there, above
    the words of its head, where nothing else has one. */
async function shadows(page, wide) {
  await wide.scrollIntoViewIfNeeded();
  const row = await colours(page, await wide.screenshot(), 2);
  const steps = (all) => Math.max(...[0, 1, 2].map((c) => Math.max(...all.map((one) => one[c])) - Math.min(...all.map((one) => one[c]))));
  return [steps(row.slice(1, 14)) > 25, steps(row.slice(-14, -1)) > 25];
}

for (const theme of ["light", "dark"]) {
  await test(`the gallery fits a telephone, ${theme}`, "gallery/index.html", async (page) => {
    assert.ok((await beyond(page)) <= 0, "the first page is too wide");
    await page.screenshot({ path: join(folder, `gallery-phone-${theme}.png`) });
    let hinted = 0;
    for (const link of await page.$$eval(FIRST, (all) => all.map((one) => one.href))) {
      await page.goto(link);
      assert.ok((await beyond(page)) <= 0, `${link} is too wide`);
      const cut = await page.$$eval("h1, h2, h3, figure, figcaption, .count, .entries li", (all) =>
        all.filter((one) => one.getBoundingClientRect().right > window.innerWidth).map((one) => one.textContent),
      );
      assert.deepEqual(cut, [], link);
      // a table that goes on says so, at the edge beyond which it does
      for (const wide of await page.locator(".wide").all()) {
        const over = await wide.evaluate((one) => one.scrollWidth - one.clientWidth);
        if (over === 0) {
          assert.deepEqual(await shadows(page, wide), [false, false], `${link} has a shadow beside nothing`);
        } else if (over > 60 && hinted < 4) {
          assert.deepEqual(await shadows(page, wide), [false, true], `${link} does not say that a table goes on`);
          await wide.evaluate((one) => one.scrollTo(1e5, 0));
          assert.deepEqual(await shadows(page, wide), [true, false], `${link} does not say where a table began`);
          hinted += 1;
        }
      }
    }
    assert.ok(hinted > 0, "no table is wide");
    await page.screenshot({ path: join(folder, `gallery-phone-page-${theme}.png`) });
  }, { viewport: PHONE, theme, plain: true });
}
