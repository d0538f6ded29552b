// The view of the arm: what it shows, and pictures of it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { drawn, seek } from "./browser.mjs";
import { folder, pixels, savedFile, test } from "./harness.mjs";

await test("without WebGL the arm is drawn flat", "king.html", async (page) => {
  assert.match(await page.textContent(".flat"), /no WebGL/);
  await seek(page, 0);
  assert.ok((await pixels(page)) > 1000, "nothing is drawn");
  await seek(page, 1.2);
  assert.ok((await pixels(page)) > 300, "nothing moves");
  const box = await page.locator("#view").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 210, { steps: 3 });
  await page.mouse.up();
  await drawn(page);
  assert.ok((await pixels(page)) > 300, "nothing turns");
  await page.screenshot({ path: join(folder, "flat.png") });
}, { webgl: false });

await test("what slides is seen in its hub", "slide.html", async (page) => {
  const inside = () => page.evaluate(() => window.pliant.view.models[0].inside[0].mesh.scale.x);
  // of a beam of 1.3 m, 0.35 m are outside at first, and 0.778 m/s more come out
  assert.ok(Math.abs((await inside()) - 0.95) < 0.002, `${await inside()} m inside`);
  await seek(page, 0.5);
  assert.ok(Math.abs((await inside()) - 0.561) < 0.002, `${await inside()} m inside`);
  await pixels(page);
  await page.evaluate(() => {
    const { view } = window.pliant;
    view.models[0].inside[0].mesh.material.visible = false;
    view.changed();
  });
  await drawn(page);
  const seen = await pixels(page);
  assert.ok(seen > 300, `${seen} pixels are of what slides`);
});

await test("pictures and videos are saved", "slide.html", async (page) => {
  const picture = await savedFile(page, page.locator("#picture"));
  assert.equal(picture.name, "slide-0.000s.png");
  assert.deepEqual([...picture.bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  await page.selectOption("#speed", "1");
  const video = await savedFile(page, page.locator("#video"));
  assert.equal(video.name, "slide.webm");
  assert.deepEqual([...video.bytes.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3]);
  assert.ok(video.bytes.length > 5000, `${video.bytes.length} bytes`);
  assert.equal(await page.textContent("#video"), "video");
});

await test("a run that diverges is seen and told", "wild.html", async (page) => {
  assert.equal(await page.textContent("#ending"), "failed");
  const far = await page.evaluate(() => {
    const { view } = window.pliant;
    return view.camera.position.distanceTo(view.orbit.target);
  });
  // an arm of 1.5 m
  assert.ok(far < 6, `the camera is ${far} m away`);
  assert.ok((await pixels(page)) > 1000, "nothing is drawn");
  const long = (await page.innerText("body")).match(/[1-9]\d*\.\d{7,}|0\.0*[1-9]\d{7,}/g);
  assert.equal(long, null);
});
