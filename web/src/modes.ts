// The page of modes: shapes that move, frequencies, and how far they can be trusted.

import { Chain } from "./chain";
import type { ModesTold, Numbers } from "./data";
import { el } from "./dom";
import { Player } from "./player";
import { stage } from "./stage";
import { figure } from "./units";
import type { ArmView } from "./view";
import { armPanel, facts, panel } from "./words";

/** Seconds that a period lasts on the screen. */
const PERIOD = 2;

/** A frequency that moves by less, relative, stands still. */
const CONVERGED = 0.01;

export interface ModesPage {
  elements: HTMLElement[];
  player: Player;
  view: ArmView | null;
  choose: (k: number) => void;
}

export function modesPage(told: ModesTold, numbers: Numbers): ModesPage {
  const { arm } = told;
  const chains = arm ? told.clips.map((clip) => new Chain(arm, clip, numbers, true)) : [];
  const player = new Player(0, 1, 1 / 32, true);
  player.setSpeed(1 / PERIOD);
  const slow = { label: "amplitude", title: "Amplitude of the mode shape", most: 3, byFactors: false };
  const cast = { isCompared: false, isLooping: true, shows: () => true, broke: () => false };
  const { element, view } = stage({
    name: told.name,
    chains: chains.slice(0, 1),
    cast,
    why: told.noArm,
    player,
    enlarging: slow,
    toggles: [["straight", "equilibrium"]],
  });
  const caption = el("p", { class: "caption", id: "caption" });
  element.querySelector(".view")?.append(caption);
  const rows = told.lines.map((line, k) => {
    const moves = line.moves.map(([name, share]) => `${name} ${Math.round(100 * share)} %`).join(", ");
    const cells = [
      String(k + 1),
      line.unstable ? "unstable" : figure(line.hertz),
      figure(line.damping),
      errorOf(line.error),
      moves,
    ];
    const press = (event: Event) => {
      if (!["Enter", " "].includes((event as KeyboardEvent).key)) return;
      event.preventDefault();
      choose(k);
    };
    return el("tr", { tabindex: 0, click: () => choose(k), keydown: press }, ...cells.map((cell, c) => el("td", { class: c === 4 ? "left" : "right" }, cell)));
  });
  function choose(k: number): void {
    rows.forEach((row, at) => {
      row.classList.toggle("chosen", at === k);
      row.setAttribute("aria-current", String(at === k));
    });
    const line = told.lines[k];
    if (!line) return;
    caption.textContent = line.unstable ? `Mode ${k + 1}: unstable` : `Mode ${k + 1}: ${figure(line.hertz, 4)} Hz`;
    if (view && chains[k]) view.replace(chains[k]);
    if (!player.playing) player.toggle();
  }
  const head = ["mode", "Hz", "damping ratio", "error", "moves"];
  const list = el(
    "table",
    { class: "modes" },
    el("thead", {}, el("tr", {}, ...head.map((word, c) => el("th", { class: c === 4 ? "left" : "right" }, word)))),
    el("tbody", {}, ...rows),
  );
  const verdict = told.noConvergence
    ? `Convergence of the frequencies is unknown: ${told.noConvergence}.`
    : "The error of a frequency is against that of the same arm with many finite elements in every flexible link. Errors above 1 % are coloured.";
  const right = el(
    "section",
    { class: "plots" },
    panel("Modes", el("div", { class: "scroll" }, list), el("p", { class: "note" }, verdict)),
    panel("Conditions", facts(told.words.facts)),
  );
  const words = el("section", { class: "words" }, armPanel(told.words.arm));
  return { elements: [el("div", { class: "main" }, element, right), words], player, view, choose };
}

function errorOf(relative: number | null): HTMLElement | string {
  if (relative === null) return "–";
  const percent = 100 * relative;
  const text = Math.abs(percent) < 0.005 ? "0 %" : `${percent.toFixed(2)} %`;
  return el("span", { class: Math.abs(relative) > CONVERGED ? "moving" : "still" }, text);
}
