// The view of the arm with its controls, or the sentence that says why there is none.

import type { Chain } from "./chain";
import { el } from "./dom";
import { controls, type Player } from "./player";
import { View, type Options } from "./view";

export interface Stage {
  element: HTMLElement;
  view: View | null;
}

/** What the slider of size does: on runs it enlarges bending, on modes the whole motion. */
export interface Enlarging {
  label: string;
  title: string;
  most: number;
  /** Whether the slider grows by factors instead of steps. */
  byFactors: boolean;
}

export function stage(
  chains: Chain[],
  why: string | null,
  player: Player,
  enlarging: Enlarging,
  toggles: [keyof Options, string][],
  isLooping: boolean,
): Stage {
  const place = el("div", { class: "view" });
  const element = el("section", { class: "stage" }, place);
  let view: View | null = null;
  if (chains.length > 0) {
    try {
      // measured once it is on the page
      document.getElementById("page")?.append(element);
      view = new View(place, chains, isLooping);
    } catch (fault) {
      const webgl = document.createElement("canvas").getContext("webgl2");
      if (webgl) console.error(fault);
      const what = webgl ? "it cannot be drawn" : "this browser has no WebGL";
      why = `The arm is not shown: ${what} (${String(fault)}).`;
    }
  }
  if (!view) {
    place.append(el("p", { class: "note none" }, why ?? "The arm is not shown."));
    place.classList.add("empty");
  }
  element.append(controls(player, isLooping ? "period" : "s"));
  if (view) element.append(tools(view, chains, enlarging, toggles));
  return { element, view };
}

function tools(view: View, chains: Chain[], enlarging: Enlarging, toggles: [keyof Options, string][]): HTMLElement {
  const bar = el("div", { class: "tools" });
  if (chains[0].bendsAtAll || !enlarging.byFactors) {
    const output = el("output", { id: "factor" }, "×1");
    const steps = 200;
    const value = (x: number) =>
      enlarging.byFactors ? enlarging.most ** (x / steps) : (enlarging.most * x) / steps;
    const slider = el("input", {
      type: "range",
      id: "enlarge",
      min: 0,
      max: steps,
      value: enlarging.byFactors ? 0 : Math.round(steps / enlarging.most),
      title: enlarging.title,
      input: () => {
        const raw = value(Number(slider.value));
        const factor = raw < 10 ? Math.round(raw * 10) / 10 : Math.round(raw);
        output.textContent = `×${factor}`;
        view.enlarge(factor);
      },
    });
    bar.append(el("label", { class: "enlarge", title: enlarging.title }, enlarging.label, slider, output));
  }
  for (const [key, label] of toggles) {
    const flip = () => {
      view.options[key] = !view.options[key];
      view.changed();
    };
    bar.append(el("label", {}, el("input", { type: "checkbox", checked: true, change: flip }), label));
  }
  bar.append(el("span", { class: "gap" }), el("button", { class: "quiet", title: "Show the whole arm", click: () => view.reset() }, "reset view"));
  return bar;
}
