// The pages in a real browser: node test/report.mjs FOLDER [WORDS], where the example `report_pages`
// has written them, with pages of the gallery in a folder of their own. Pictures of light and dark go
// there too. With words, only tests that have them in their name.

import { join } from "node:path";
import { open } from "./browser.mjs";
import { browser, counted, folder } from "./harness.mjs";

for (const part of ["pages", "view", "plots", "compare", "studies", "gallery"]) await import(`./${part}.mjs`);

const { page } = await open(browser, join(folder, "king.html"));
const ready = await page.evaluate(() => Math.round(window.pliant.readyAfter));
console.log(`${counted.passed} pages and their parts passed; ready ${ready} ms after the script began, drawn in software${counted.told ?? ""}`);
await browser.close();
