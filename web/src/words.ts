// The run in words.

import { figure, type ArmTable, type Run, type Tracking } from "./data";
import { el, table } from "./dom";
import type { Player } from "./player";

/** Lines of a long table before the rest is folded away. */
const SHOWN = 14;

/** The panels below the view and the plots. */
export function runWords(runs: Run[], player: Player): HTMLElement {
  const run = runs[0];
  const { words } = run;
  const at = (t: number) =>
    el("button", { class: "instant", title: "Go to this time", click: () => player.seek(t) }, `${figure(t, 5)} s`);
  const extremes = words.extremes.map((one) => [
    one.channel,
    figure(one.least[0]),
    at(one.least[1]),
    figure(one.most[0]),
    at(one.most[1]),
  ]);
  return el(
    "section",
    { class: "words" },
    panel("Run", facts(words.facts), words.ending.text ? el("p", { class: "note" }, words.ending.text) : null, repeat(words.command)),
    words.arm ? armPanel(words.arm) : null,
    words.tracking ? trackingPanel(words.tracking) : null,
    extremes.length > 0 ? panel("Extremes", folded(["channel", "minimum", "at", "maximum", "at"], extremes)) : null,
    panel(
      "Events",
      words.events.length > 0
        ? folded(["at", "what"], words.events.map((event) => [at(event.time), event.what]), 2)
        : el("p", { class: "note" }, "No events."),
    ),
    words.warnings.length > 0
      ? panel("Warnings", el("ul", {}, ...words.warnings.map((warning) => el("li", {}, warning))))
      : null,
    runs.length > 1
      ? panel("Other runs", ...runs.slice(1).map((ghost) => el("div", {}, el("h4", {}, ghost.name), facts(ghost.words.facts))))
      : null,
  );
}

/** Tracking errors of the controllers, and the forces of the motors. */
function trackingPanel(told: Tracking): HTMLElement {
  const lines = told.joints.map((joint) => [
    joint.name,
    figure(joint.most),
    figure(joint.rms),
    figure(joint.last),
    joint.unit,
    `${figure(joint.most_rate)} ${joint.unit}/s`,
    joint.settled_after === null ? "not settled" : `settled after ${figure(joint.settled_after)} s`,
  ]);
  if (told.tip) {
    const { frame, most, rms, last, residual_vibration: shakes } = told.tip;
    const after = shakes === null ? "–" : `vibrates by ${figure(shakes)} m, peak to peak, in the 2 s after the end of the plan`;
    lines.push([`tip ${frame}`, figure(most), figure(rms), figure(last), "m", "–", after]);
  }
  const motors = told.motors.map((motor) => [
    motor.name,
    figure(motor.peak),
    figure(motor.rms),
    motor.unit,
    `${figure(motor.work)} J`,
    `${figure(motor.absolute_work)} J`,
    `${figure(100 * motor.saturated, 3)} %`,
  ]);
  const both = (whole: number | null, half: number | null) => `${figure(whole)}, with the factor ½ ${figure(half)}`;
  const integrals: [string, string][] = [
    ["∫ (100 e² + ė²) dt", both(told.error_integral, told.half_error_integral)],
    ["∫ τᵀτ dt", both(told.effort_integral, told.half_effort_integral)],
    ["∫ uᵀu dt, u = τ − k", both(told.ideal_effort_integral, told.half_ideal_effort_integral)],
    ["From rows", `every ${figure(told.interval)} s`],
    ["Settled", "within 2 % of its travel until the run ends; the time counts from the end of the plan or, for a joint with its own target, from the start"],
  ];
  return panel(
    "Tracking",
    lines.length > 0 ? folded(["error", "largest", "rms", "last", "unit", "largest rate", "afterwards"], lines) : null,
    motors.length > 0
      ? folded(["motor", "peak", "rms", "unit", "work", "work, absolute", "at its limit"], motors)
      : null,
    lines.length > 0 ? facts(integrals) : facts(integrals.slice(1, -1)),
  );
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
    figure(link.length),
    figure(link.mass),
    link.section ?? "–",
    [...link.joints, ...short(link.bending)].join(", ") || "–",
  ]);
  const sum = `${arm.links.length} links, ${arm.freedoms} degrees of freedom, ${figure(arm.mass)} kg`;
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

function repeat(command: string): HTMLElement {
  const code = el("code", { id: "command" }, command);
  const copy = el(
    "button",
    {
      class: "quiet",
      title: "Copy the command that repeats this run",
      click: () => {
        const range = document.createRange();
        range.selectNodeContents(code);
        const selection = getSelection();
        selection?.removeAllRanges();
        selection?.addRange(range);
        // pages from disk have no clipboard of their own
        document.execCommand("copy");
        copy.textContent = "copied";
        setTimeout(() => (copy.textContent = "copy"), 1500);
      },
    },
    "copy",
  );
  return el("div", { class: "command" }, el("span", {}, "Repeat with"), code, copy);
}
