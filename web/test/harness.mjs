// What the tests of pages share: pages that neither complain nor ask for anything, and looking at
// what is drawn.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { launch, open, watch } from "./browser.mjs";

export const [folder, words = ""] = process.argv.slice(2);
if (!folder) throw new Error("give the folder of the pages");
watch();
export const browser = await launch();
export const counted = { passed: 0 };

/** One page, which must ask for nothing, and complain of nothing unless it is made to. */
export async function test(name, file, check, options) {
  if (!name.includes(words)) return;
  const opened = await open(browser, join(folder, file), options);
  try {
    await check(opened.page);
    if (!options?.complains) assert.deepEqual(opened.complaints, [], "the page complains");
    assert.deepEqual(opened.requests, [], "a request leaves the page");
  } catch (fault) {
    fault.message = `${name} (${file}): ${fault.message}`;
    await opened.page.screenshot({ path: join(folder, "failed.png") }).catch(() => undefined);
    throw fault;
  }
  await opened.page.close();
  counted.passed += 1;
  console.log(`  ${name}`);
}

/** Keeps the pixels of the view, and tells how many differ from those kept before. */
export function pixels(page) {
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
export function lined(page) {
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
        // a line between two rows of pixels is half in each
        if (data[k + 3] > 80 && colours.some(near)) count += 1;
      }
      return count;
    });
  });
}

/** How many pixels of a canvas have a colour of the style. */
export function coloured(page, selector, colour) {
  return page.evaluate(([where, name]) => {
    const canvas = document.querySelector(where);
    const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const want = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const pen = copy.getContext("2d", { willReadFrequently: true });
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(0, 0, copy.width, copy.height);
    let count = 0;
    for (let k = 0; k < data.length; k += 4) {
      if (data[k + 3] > 100 && want.every((x, c) => Math.abs(data[k + c] - x) < 12)) count += 1;
    }
    return count;
  }, [selector, colour]);
}

/** Clicks, and gives the bytes that are saved and the name of their file. */
export async function savedFile(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** Clicks, and gives the text that is saved. */
export async function saved(page, button) {
  return (await savedFile(page, button)).bytes.toString("utf8");
}

export const time = (page) => page.evaluate(() => window.pliant.player.t);
export const markers = (page) =>
  page.evaluate(() => [...document.querySelectorAll(".marker")].map((one) => one.getBoundingClientRect().x));
