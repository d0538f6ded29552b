// A picture out of a page: node test/figure.mjs PAGE PICTURE '{"theme": "light", "at": 1.2, ...}'.

import { drawn, launch, open, seek, slide, watch } from "./browser.mjs";

const [file, picture, wanted] = process.argv.slice(2);
const { theme, at, enlarge, tab, part, width, height, mode, run, plain } = JSON.parse(wanted);
watch();
const browser = await launch();
const viewport = { width: width ?? 1440, height: height ?? 900 };
const { page } = await open(browser, file, { theme, viewport, scale: 1.5, plain });
if (tab) await page.click(`.tabs [data-key=${tab}]`);
if (mode !== undefined) {
  await page.evaluate((k) => window.pliant.choose(k), mode);
  await page.evaluate(() => window.pliant.player.toggle());
}
if (enlarge) {
  await page.evaluate((factor) => window.pliant.view.enlarge(factor), enlarge);
  await slide(page, "#enlarge", Math.round((200 * Math.log(enlarge)) / Math.log(100)));
}
if (plain) await page.evaluate(() => document.fonts.ready);
else if (run === undefined) await seek(page, at ?? 0);
else await page.evaluate((run) => window.pliant.state.choose(window.pliant.study.rowOf(run)), run);
await drawn(page);
const place = part ? page.locator(part) : page;
await place.screenshot({ path: picture });
await browser.close();
