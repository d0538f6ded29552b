// Puts the page together.

import "./locale";
import "./style.css";
import { Chain } from "./chain";
import { figure, read, usualDistance, type Numbers, type Run } from "./data";
import { el } from "./dom";
import { dashes, ticks } from "./export";
import { modesPage } from "./modes";
import { Player } from "./player";
import { Plots } from "./plots";
import { spectrum, spectrumPage, type SpectrumPage } from "./spectrum";
import { stage } from "./stage";
import { ghostColour, onTheme, themeSwitch } from "./theme";
import type { View } from "./view";
import { runWords } from "./words";

const began = performance.now();
const { page, numbers } = read();
const root = document.getElementById("page") as HTMLElement;
root.replaceChildren();
const toggle = themeSwitch();

let player: Player;
let view: View | null;
let plots: Plots | null = null;
let choose: ((k: number) => void) | null = null;
if (page.kind === "run") ({ player, view, plots } = runPage(page.told.runs, numbers));
else {
  const made = modesPage(page.told, numbers);
  ({ player, view, choose } = made);
  root.append(header(page.told.name, "modes", null, null), ...made.elements);
}
root.append(el("footer", {}, `Made by pliant ${page.version}. Space plays, arrows step, [ and ] change the speed, T changes the theme.`));

player.onTime((t) => view?.show(t));
const frame = (now: number) => {
  player.tick(now);
  view?.draw();
  requestAnimationFrame(frame);
};
view?.show(player.t);
view?.draw();
choose?.(0);
requestAnimationFrame(frame);

// for the tests of the page
const spectrumOf = (name: string) => {
  const channel = plots?.runs[0].channels.find((one) => one.name === name);
  if (!plots || !channel) return null;
  const { hertz, size } = spectrum(plots.times[0], plots.values(channel), ...plots.window);
  return [hertz, size];
};
Object.assign(window, {
  pliant: { player, view, plots, page, choose, spectrum: spectrumOf, spectrumOfRows: spectrum, ticks, readyAfter: performance.now() - began },
});

function header(name: string, kind: string, ending: Run["words"]["ending"] | null, legend: HTMLElement | null): HTMLElement {
  document.title = `${name} – pliant`;
  const badge = ending
    ? el("span", { class: ending.good ? "badge good" : "badge bad", id: "ending", title: ending.text ?? "" }, ending.word)
    : el("span", { class: "badge" }, kind);
  const mark = el("span", { class: "mark" }, "pliant");
  return el("header", { class: "top" }, mark, el("h1", {}, name), badge, legend, el("span", { class: "gap" }), toggle);
}

function runPage(runs: Run[], from: Numbers): { player: Player; view: View | null; plots: Plots } {
  // a ghost keeps its colour, whichever of the others have an arm
  const chains = runs.flatMap((run, k) => (run.arm && run.motion ? [new Chain(run.arm, run.motion, from, false, k)] : []));
  // without the first arm there is nothing to compare ghosts with
  const drawn = runs[0].arm && runs[0].motion ? chains : [];
  const spans = runs.map((run) => from.exact(run.times.at, run.times.count));
  const start = Math.min(...spans.map((times) => times[0] ?? 0));
  const end = Math.max(...spans.map((times) => times[times.length - 1] ?? 0));
  const made = new Player(start, end, usualDistance(spans[0]) || (end - start) / 1000, false);
  const ghosts = runs.slice(1);
  const legend = ghosts.length > 0 ? el("span", { class: "ghosts" }, ...ghosts.map((run, k) => ghostSample(run.name, k + 1))) : null;
  const enlarging = { label: "deflection", title: "Magnification of the deflections", most: 100, byFactors: true };
  const bends = drawn[0]?.bendsAtAll ?? false;
  const toggles: [keyof View["options"], string][] = [["trace", "trace"]];
  if (bends) toggles.push(["straight", "undeformed"]);
  if (ghosts.length > 0) toggles.push(["ghosts", "ghosts"]);
  root.append(header(runs[0].name, "run", runs[0].words.ending, legend));
  if (runs[0].words.ending.text && !runs[0].words.ending.good) {
    root.append(el("p", { class: "alert" }, runs[0].words.ending.text));
  }
  const { element, view: shown } = stage(drawn, runs[0].noArm, made, enlarging, toggles, false);
  const shownRows = slowed(runs[0]);
  if (shown && shownRows) element.append(el("p", { class: "note instants", id: "instants" }, shownRows));
  let spectra: SpectrumPage | null = null;
  const openSpectra = () => {
    spectra ??= spectrumPage(all);
    // drawn once it is on the page and has a width
    queueMicrotask(spectra.draw);
    return spectra.element;
  };
  const all: Plots = new Plots(runs, from, made, [{ key: "spectrum", title: "Spectrum", make: openSpectra }]);
  all.element.prepend(dragSwitch(all));
  root.append(el("div", { class: "main" }, element, all.element), runWords(runs, made));
  return { player: made, view: shown, plots: all };
}

/** The name of a ghost with its colour in the view and its dashes in the plots. */
function ghostSample(name: string, rank: number): HTMLElement {
  const dot = el("i", {});
  const paint = () => dot.style.setProperty("background", ghostColour(rank));
  onTheme(paint);
  paint();
  const line = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  line.setAttribute("viewBox", "0 0 30 10");
  const path = document.createElementNS(line.namespaceURI, "path") as SVGPathElement;
  path.setAttribute("d", "M0 5h30");
  path.setAttribute("stroke-dasharray", dashes(rank).join(" "));
  line.append(path);
  return el("span", {}, dot, line, name);
}

/** How many instants a second the view has, where it has fewer than there are rows. */
function slowed({ motion, drawable }: Run): string | null {
  if (!motion || motion.count >= drawable) return null;
  const times = numbers.exact(motion.times, motion.count);
  const rate = (motion.count - 1) / (times[motion.count - 1] - times[0]);
  return `The arm is shown at ${figure(rate, 3)} instants per second, ${motion.count} of ${drawable} rows, and interpolated between them.`;
}

/** What dragging in a plot does. */
function dragSwitch(all: Plots): HTMLElement {
  const set = (zooms: boolean) => () => {
    all.zoomsByDrag = zooms;
    time.setAttribute("aria-pressed", String(!zooms));
    zoom.setAttribute("aria-pressed", String(zooms));
  };
  const time = el("button", { "aria-pressed": "true", click: set(false), title: "Drag to move in time; shift-drag to zoom" }, "time");
  const zoom = el("button", { "aria-pressed": "false", click: set(true), title: "Drag to select a time range" }, "zoom");
  const reset = el("button", { class: "quiet", title: "Show the whole time range (double click)", click: () => all.zoom(all.player.start, all.player.end) }, "all");
  return el("div", { class: "drag" }, "drag", el("span", { class: "pair" }, time, zoom), reset);
}
