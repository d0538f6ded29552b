// The view of the arm with its controls, or the sentence that says why there is none.

import type { Chain } from "./chain";
import { el } from "./dom";
import { filmButtons } from "./film";
import { FlatView } from "./flat";
import { controls, type Player } from "./player";
import { View, type ArmView, type Cast, type Options } from "./view";

export interface Stage {
  element: HTMLElement;
  view: ArmView | null;
}

/** What the slider of size does: on runs it enlarges bending, on modes the whole motion. */
export interface Enlarging {
  label: string;
  title: string;
  most: number;
  /** Whether the slider grows by factors instead of steps. */
  byFactors: boolean;
}

/** What is on the stage. */
export interface Play {
  name: string;
  chains: Chain[];
  cast: Cast;
  /** Why nothing is shown, where nothing is. */
  why: string | null;
  player: Player;
  enlarging: Enlarging;
  toggles: [keyof Options, string][];
}

export function stage({ name, chains, cast, why, player, enlarging, toggles }: Play): Stage {
  const place = el("div", { class: "view" });
  const element = el("section", { class: "stage" }, place);
  let view: ArmView | null = null;
  if (chains.length > 0) {
    // measured once it is on the page
    document.getElementById("page")?.append(element);
    const hasWebgl = document.createElement("canvas").getContext("webgl2") !== null;
    view = hasWebgl ? new View(place, chains, cast) : new FlatView(place, chains, cast);
    if (!hasWebgl) place.append(el("p", { class: "flat" }, "drawn flat: this browser has no WebGL"));
  }
  if (!view) {
    place.append(el("p", { class: "note none" }, why ?? "The arm is not shown."));
    place.classList.add("empty");
  }
  element.append(controls(player, cast.isLooping ? "period" : "s"));
  if (view) element.append(tools(view, player, name, chains, enlarging, toggles));
  return { element, view };
}

function tools(view: ArmView, player: Player, name: string, chains: Chain[], enlarging: Enlarging, toggles: Play["toggles"]): HTMLElement {
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
  const reset = el("button", { class: "quiet", title: "Show the whole arm", click: () => view.reset() }, "reset view");
  bar.append(el("span", { class: "gap" }), ...filmButtons(view, player, name), reset);
  return bar;
}
