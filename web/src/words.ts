// The run in words.

import { figureTable } from "./compare";
import type { ArmTable, LinkPeaks, Run, Tracking } from "./data";
import { command, el, table } from "./dom";
import type { Player } from "./player";
import { runColour, type Runs } from "./runs";
import { onTheme } from "./theme";
import { figure, onUnits, quantity } from "./units";

/** Lines of a long table before the rest is folded away. */
const SHOWN = 14;

/** The panels below the view and the plots. */
export function runWords(runs: Runs, player: Player): HTMLElement {
  const section = el("section", { class: "words" });
  const draw = () => section.replaceChildren(...panels(runs, player));
  onUnits(draw);
  onTheme(draw);
  draw();
  return section;
}

function panels(runs: Runs, player: Player): HTMLElement[] {
  const run = runs.all[0];
  const { words } = run;
  const at = (t: number) =>
    el("button", { class: "instant", title: "Go to this time", click: () => player.seek(t) }, `${figure(t, 5)} s`);
  const extremes = words.extremes.map(({ channel, least, most }) => {
    const [name, unit] = split(channel);
    return [name, quantity(least[0], unit, 6), at(least[1]), quantity(most[0], unit, 6), at(most[1])];
  });
  const tracked = runs.all.flatMap((one, k) => (one.words.tracking ? [{ name: one.name, k, told: one.words.tracking }] : []));
  const all = [
    panel("Run", facts(words.facts), words.ending.text ? el("p", { class: "note" }, words.ending.text) : null, command("Repeat with", words.command, "Copy the command that repeats this run")),
    words.arm ? armPanel(words.arm) : null,
    runs.all.some((one) => one.figures.length > 0) ? panel("Figures", figureTable(runs)) : null,
    tracked.length > 0
      ? panel("Tracking", ...tracked.flatMap(({ name, k, told }) => (runs.compares ? [foldedRun(name, k, tracking(told))] : tracking(told))))
      : null,
    words.links.length > 0 ? panel(runs.compares ? `Loads of ${run.name}` : "Loads of links", folded(["link", "largest", "", "at", "from the root"], peaks(words.links, at), 2)) : null,
    extremes.length > 0 ? panel(runs.compares ? `Extremes of ${run.name}` : "Extremes", folded(["channel", "minimum", "at", "maximum", "at"], extremes)) : null,
    panel(
      "Events",
      words.events.length > 0
        ? folded(["at", "what"], words.events.map((event) => [at(event.time), event.what]), 2)
        : el("p", { class: "note" }, "No events."),
    ),
    words.warnings.length > 0
      ? panel("Warnings", el("ul", {}, ...words.warnings.map((warning) => el("li", {}, warning))))
      : null,
    runs.compares ? panel("Other runs", ...runs.all.slice(1).flatMap((other, k) => [runTitle(other.name, k + 1), facts(other.words.facts), told(other)])) : null,
  ];
  return all.filter((one) => one !== null);
}

/** What is told of links, with its unit. */
const PEAKS: [Exclude<keyof LinkPeaks, "link">, string, string][] = [
  ["deflection", "deflection of the tip", "m"],
  ["slope", "slope of the tip", "rad"],
  ["moment", "bending moment", "N m"],
  ["shear", "shear force", "N"],
  ["torsion", "torque along it", "N m"],
  ["stress", "stress", "Pa"],
  ["margin", "margin of strength, smallest", "1"],
];

/** The largest deflections, loads and stresses of links: when and where. */
function peaks(links: LinkPeaks[], at: (t: number) => HTMLElement): (Node | string)[][] {
  return links.flatMap((link) =>
    PEAKS.flatMap(([key, label, unit]) => {
      const peak = link[key];
      return peak ? [[link.link, label, quantity(peak.value, unit), at(peak.time), peak.place === undefined ? "–" : quantity(peak.place, "m", 3)]] : [];
    }),
  );
}

/** What a run besides the first has to say: how it failed, and what is doubtful. */
function told({ words }: Run): HTMLElement | null {
  const lines = [...(words.ending.text ? [words.ending.text] : []), ...words.warnings];
  return lines.length > 0 ? el("ul", {}, ...lines.map((line) => el("li", {}, line))) : null;
}

/** The name of a run with its colour. */
function runTitle(name: string, k: number): HTMLElement {
  const dot = el("i", { class: "dot" });
  dot.style.setProperty("background", runColour(k));
  return el("h4", {}, dot, name);
}

/** What is told of a run, under its name; the first is open. */
function foldedRun(name: string, k: number, content: (HTMLElement | null)[]): HTMLElement {
  return el("details", { open: k === 0 }, el("summary", {}, runTitle(name, k)), ...content);
}

/** Name and unit of a column. */
function split(column: string): [string, string] {
  const found = /^(.*) \[(.*)\]$/.exec(column);
  return found ? [found[1], found[2]] : [column, ""];
}

/** Tracking errors of the controllers, and the forces of the motors. */
function tracking(told: Tracking): (HTMLElement | null)[] {
  const lines = told.joints.map((joint) => [
    joint.name,
    quantity(joint.most, joint.unit),
    quantity(joint.rms, joint.unit),
    quantity(joint.last, joint.unit),
    quantity(joint.most_rate, `${joint.unit}/s`),
    quantity(joint.overshoot, joint.unit),
    quantity(joint.settled_after, "s"),
  ]);
  if (told.tip) {
    const { frame, most, rms, last, overshoot, settling_time: settled } = told.tip;
    lines.push([`tip ${frame}`, quantity(most, "m"), quantity(rms, "m"), quantity(last, "m"), "–", quantity(overshoot, "m"), quantity(settled, "s")]);
  }
  const motors = told.motors.map((motor) => [
    motor.name,
    quantity(motor.peak, motor.unit),
    quantity(motor.rms, motor.unit),
    quantity(motor.peak_power, "W"),
    quantity(motor.work, "J"),
    quantity(motor.energy, "J"),
    `${figure(100 * motor.saturated, 3)} %`,
  ]);
  const band = told.tip?.band ? `; the tip within ${quantity(told.tip.band, "m")} of its final value` : "";
  const common = (units: string[], make: (unit: string) => string) => (new Set(units).size === 1 ? ` ${make(units[0])}` : "");
  const squares = common(told.joints.map((joint) => joint.unit), (unit) => `${unit}²/s`);
  const efforts = common(told.motors.map((motor) => motor.unit), (unit) => `(${unit})² s`);
  const both = (whole: number | null, half: number | null, unit: string) => `${figure(whole, 5)}${unit}, with the factor ½ ${figure(half, 5)}${unit}`;
  const integrals: [string, string][] = [
    ["∫ (100 e²/s² + ė²) dt", both(told.error_integral, told.half_error_integral, squares)],
    ["∫ τᵀτ dt", both(told.effort_integral, told.half_effort_integral, efforts)],
    ["∫ uᵀu dt, u = τ − k", both(told.ideal_effort_integral, told.half_ideal_effort_integral, efforts)],
    ["From rows", `every ${figure(told.interval)} s`],
    ["Settled", `within 2 % of its travel until the run ends${band}; the time counts from the end of the plan or, for a joint with its own target, from the start`],
  ];
  return [
    lines.length > 0 ? folded(["error", "largest", "rms", "last", "largest rate", "overshoot", "settled after"], lines) : null,
    motors.length > 0 ? folded(["motor", "peak", "rms", "peak power", "work", "energy used", "at its limit"], motors) : null,
    lines.length > 0 ? facts(integrals) : facts(integrals.slice(1, -1)),
  ];
}
/** A titled panel. */
export function panel(title: string, ...content: (Node | null)[]): HTMLElement {
  return el("article", { class: "panel" }, el("h2", {}, title), ...content);
}

/** Labels with what they say. */
export function facts(all: [string, string][]): HTMLElement {
  return el("dl", {}, ...all.flatMap(([label, text]) => [el("dt", {}, label), el("dd", {}, text)]));
}

/** The table of the arm. */
export function armPanel(arm: ArmTable): HTMLElement {
  const lines = arm.links.map((link) => [
    link.name,
    link.parent,
    link.prescribed ? `${link.joint}, prescribed` : link.joint,
    figure(link.length, 5),
    figure(link.mass, 5),
    link.section ?? "–",
    [...link.joints, ...short(link.bending)].join(", ") || "–",
  ]);
  const sum = `${arm.links.length} links, ${arm.freedoms} degrees of freedom, ${figure(arm.mass, 5)} kg`;
  const head = ["link", "parent", "joint", "length [m]", "mass [kg]", "section", "coordinates"];
  const full = table(head, lines, 3);
  full.classList.add("arm");
  const holder = el("div", { class: "scroll" }, full);
  return panel(`Arm ${arm.name}`, el("p", { class: "note" }, sum), holder);
}

/** Many names as the first and the last. */
function short(names: string[]): string[] {
  return names.length > 6 ? [names[0], "…", `${names[names.length - 1]} (${names.length})`] : names;
}

function folded(head: string[], lines: (Node | string)[][], left = 1): HTMLElement {
  const first = table(head, lines.slice(0, SHOWN), left);
  const box = el("div", { class: "scroll" }, first);
  if (lines.length > SHOWN) {
    const more = el(
      "button",
      {
        class: "quiet",
        click: () => {
          box.replaceChildren(table(head, lines, left));
          more.remove();
        },
      },
      `all ${lines.length}`,
    );
    return el("div", {}, box, more);
  }
  return box;
}
