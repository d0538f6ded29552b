// Time and values under the mouse.

import type uPlot from "uplot";
import { nearest } from "./data";
import { el } from "./dom";
import type { Curve } from "./export";
import { figure, stepped } from "./units";

export class Hover {
  readonly element = el("div", { class: "hover", hidden: true });

  /** Shows the values at a place, beside it; a line is told by its colour and its name. */
  show(chart: uPlot, over: string, x: number, lines: { line: Curve; label: string; ink: string }[], factor: number): void {
    const { left = -1 } = chart.cursor;
    this.element.hidden = left < 0;
    if (left < 0) return;
    this.element.replaceChildren(
      el("b", {}, over),
      ...lines.map(({ line, label, ink }) => {
        const sample = el("i", { class: line.dash.length > 0 ? "dashed" : "" });
        sample.style.setProperty("--line", ink);
        return el("span", {}, sample, el("span", {}, label), el("output", {}, valueAt(line, x, factor)));
      }),
    );
    const isRight = left > chart.over.clientWidth / 2;
    this.element.style.left = isRight ? "" : `${left + 12}px`;
    this.element.style.right = isRight ? `${chart.over.clientWidth - left + 12}px` : "";
  }

  hide(): void {
    this.element.hidden = true;
  }
}

/** The value of a line at the row nearest to a time, in digits that are known. */
export function valueAt({ times, values, step }: Curve, t: number, factor: number): string {
  const k = nearest(times, t);
  return figure(stepped(factor * values[k], factor * step(k)), 5);
}
