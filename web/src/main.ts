// Puts the page together.

import "./fault";
import "./locale";
import "./style.css";
import { Chain } from "./chain";
import { channelsTab } from "./channels";
import { comparison } from "./compare";
import { read, usualDistance, type Numbers, type Run } from "./data";
import { el } from "./dom";
import { ticks } from "./export";
import { modesPage } from "./modes";
import { Player } from "./player";
import { Plots } from "./plots";
import { Runs } from "./runs";
import { spectrum, spectrumPage, type SpectrumPage } from "./spectrum";
import { stage } from "./stage";
import { themeSwitch } from "./theme";
import { figure } from "./units";
import type { ArmView, Options } from "./view";
import { runWords } from "./words";
import { xyTab } from "./xy";

const began = performance.now();
const { page, numbers } = read();
const root = document.getElementById("page") as HTMLElement;
root.replaceChildren();
const toggle = themeSwitch();

let player: Player;
let view: ArmView | null;
let plots: Plots | null = null;
let choose: ((k: number) => void) | null = null;
if (page.kind === "run") ({ player, view, plots } = runPage(page.told.runs, numbers));
else {
  const made = modesPage(page.told, numbers);
  ({ player, view, choose } = made);
  root.append(header(page.told.name, "modes", null), ...made.elements);
}
const wheel = plots ? " The wheel zooms plots in time, and their values over the numbers at their left." : "";
root.append(el("footer", {}, `Made by pliant ${page.version}. Space plays, arrows step, [ and ] change the speed, T changes the theme.${wheel}`));

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
  const channel = plots?.runs.find(0, name);
  if (!plots || !channel) return null;
  const { hertz, size } = spectrum(plots.runs.times[0], plots.values(channel), ...plots.window);
  return [hertz, size];
};
Object.assign(window, {
  pliant: { player, view, plots, page, choose, spectrum: spectrumOf, spectrumOfRows: spectrum, ticks, readyAfter: performance.now() - began },
});

function header(name: string, kind: string, ending: Run["words"]["ending"] | null): HTMLElement {
  document.title = `${name} – pliant`;
  const badge = ending
    ? el("span", { class: ending.good ? "badge good" : "badge bad", id: "ending", title: ending.text ?? "" }, ending.word)
    : el("span", { class: "badge" }, kind);
  const mark = el("span", { class: "mark" }, "pliant");
  return el("header", { class: "top" }, mark, el("h1", {}, name), badge, el("span", { class: "gap" }), toggle);
}

function runPage(all: Run[], from: Numbers): { player: Player; view: ArmView | null; plots: Plots } {
  const runs = new Runs(all, from);
  const [first] = all;
  const chains = all.flatMap((run, k) => (run.arm && run.motion ? [new Chain(run.arm, run.motion, from, false, k)] : []));
  // without the first arm there is nothing to compare ghosts with
  const drawn = first.arm && first.motion ? chains : [];
  const start = Math.min(...runs.times.map((times) => times[0] ?? 0));
  const end = Math.max(...runs.times.map((times) => times[times.length - 1] ?? 0));
  const time = new Player(start, end, usualDistance(runs.times[0]) || (end - start) / 1000, false);
  const enlarging = { label: "deflection", title: "Magnification of the deflections", most: 100, byFactors: true };
  const bends = drawn[0]?.bendsAtAll ?? false;
  const toggles: [keyof Options, string][] = [["trace", "trace"]];
  if (bends) toggles.push(["straight", "undeformed"]);
  const title = runs.compares ? `${all.length} runs compared` : first.name;
  root.append(header(title, runs.compares ? "comparison" : "run", runs.compares ? null : first.words.ending));
  if (runs.compares) {
    root.classList.add("comparing");
    root.append(comparison(runs));
  } else if (first.words.ending.text && !first.words.ending.good) {
    root.append(el("p", { class: "alert" }, first.words.ending.text));
  }
  const cast = { isCompared: runs.compares, isLooping: false, shows: (rank: number) => runs.shows(rank), broke: (rank: number) => !all[rank].words.ending.good };
  const { element, view: shown } = stage({ name: first.name, chains: drawn, cast, why: first.noArm, player: time, enlarging, toggles });
  runs.onChange(() => shown?.changed());
  const shownRows = slowed(first);
  if (shown && shownRows) element.append(el("p", { class: "note instants", id: "instants" }, shownRows));
  let spectra: SpectrumPage | null = null;
  const openSpectra = (plots: Plots) => {
    spectra ??= spectrumPage(plots);
    // drawn once it is on the page and has a width
    queueMicrotask(spectra.draw);
    return spectra.element;
  };
  const charts = new Plots(runs, time, [channelsTab(), xyTab(), { key: "spectrum", title: "Spectrum", make: openSpectra }]);
  root.append(el("div", { class: "main" }, element, charts.element), runWords(runs, time));
  return { player: time, view: shown, plots: charts };
}

/** How many instants a second the view has, where it has fewer than there are rows. */
function slowed({ motion, drawable }: Run): string | null {
  if (!motion || motion.count >= drawable) return null;
  const times = numbers.exact(motion.times, motion.count);
  const rate = (motion.count - 1) / (times[motion.count - 1] - times[0]);
  return `The arm is shown at ${figure(rate, 3)} instants per second, ${motion.count} of ${drawable} rows, and interpolated between them.`;
}
