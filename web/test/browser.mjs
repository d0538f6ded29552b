// The browser that the tests and the pictures use.

import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";

// software rendering, so that it works without a graphics card, and nothing that asks the network
const FLAGS = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Ends a program that hangs: a test that never ends is a test that failed. */
export function watch(seconds = 300) {
  setTimeout(() => {
    console.error(`not done after ${seconds} s`);
    process.exit(1);
  }, 1000 * seconds).unref();
}

/** Starts the browser that the environment names. */
export function launch() {
  const executablePath = process.env.PLIANT_CHROMIUM;
  if (!executablePath) throw new Error("PLIANT_CHROMIUM names no browser; `cargo xtask` does");
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Opens a page from disk, plain ones without scripts, and gathers what it complains of and asks for. */
export async function open(browser, file, options = {}) {
  const viewport = options.viewport ?? { width: 1200, height: 720 };
  const scale = options.scale ?? 1;
  const page = await browser.newPage({
    viewport,
    colorScheme: options.theme ?? "light",
    deviceScaleFactor: scale,
    acceptDownloads: true,
    // of its own the browser takes that of the system, which may be none that a page understands
    locale: "en-US",
  });
  if (options.language) {
    await page.addInitScript((language) => {
      Object.defineProperty(navigator, "language", { value: language, configurable: true });
    }, options.language);
  }
  if (options.webgl === false) {
    await page.addInitScript(() => {
      const whole = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return /^webgl/.test(kind) ? null : whole.call(this, kind, ...more);
      };
    });
  }
  const complaints = [];
  const requests = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const own = pathToFileURL(file).href;
  page.on("request", (request) => {
    const url = request.url();
    // pages without scripts lead to one another
    const isOwn = options.plain ? url.startsWith(new URL(".", own).href) : url === own;
    if (!isOwn && !/^(data|blob):/.test(url)) requests.push(url);
  });
  await page.goto(own);
  if (options.plain) return { page, complaints, requests };
  // plots are drawn when they come into sight
  const isReady = () => "pliant" in window && (window.pliant.plots?.shown ?? []).slice(0, 1).every((plot) => plot.chart);
  await page.waitForFunction(isReady, null, { timeout: 120_000 });
  return { page, complaints, requests };
}

/** Waits until what was asked for has been drawn. */
export async function drawn(page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** Shows an instant. */
export async function seek(page, t) {
  await page.evaluate((to) => window.pliant.player.seek(to), t);
  await drawn(page);
}

/** Sets a slider as a hand would. */
export async function slide(page, selector, value) {
  await page.evaluate(
    ([where, to]) => {
      const slider = document.querySelector(where);
      slider.value = String(to);
      slider.dispatchEvent(new Event("input"));
    },
    [selector, value],
  );
  await drawn(page);
}
