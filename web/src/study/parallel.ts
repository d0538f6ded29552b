// Parallel coordinates: every run is a line over some parameters and figures. Dragging along an axis
// keeps the runs that pass through the range.

import { el, oncePerFrame } from "../dom";
import { colour, onTheme } from "../theme";
import { onUnits } from "../units";
import { axisOf, fitted, penOf, shade, told, type Axis } from "./axis";
import type { Column } from "./data";
import type { State } from "./state";

const HEIGHT = 345;
const [SIDE, TOP, BOTTOM] = [46, 56, 34];

/** Axes that are shown unless others are chosen. */
const USUAL = 8;

/** The least distance between two axes (px); narrower pages scroll. */
const APART = 84;

/** More lines than this, of runs that pass and of others, only darken the drawing. */
const [MOST_LINES, MOST_OTHERS] = [2500, 1000];

/** Lines are drawn in so many colours. */
const SHADES = 16;

/** One press of a key moves an end of a range by this part of the axis. */
const STEP = 1 / 20;

/** A drag shorter than this is a click (px). */
const CLICK = 4;

export class Parallel {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { id: "parallel", role: "img", "aria-label": "runs as lines over parameters and figures" });
  private readonly handles = el("div", { class: "handles" });
  private readonly holder = el("div", { class: "chart parallel" }, this.canvas, this.handles);
  private readonly note = el("p", { class: "note" });
  private readonly chosen: Set<Column>;
  private axes: Axis[] = [];

  constructor(private readonly state: State) {
    const { study } = state;
    const varies = (one: Column) => one.range[1] > one.range[0];
    const figures = [state.figure, ...study.figures.filter((one) => one !== state.figure && one.lowerIsBetter !== null && varies(one))];
    const goals = study.columns.filter((one) => one.isGoal);
    const parameters = study.parameters.filter(varies).slice(0, USUAL - 1);
    this.chosen = new Set([...goals, ...parameters, ...figures.slice(0, Math.max(USUAL - parameters.length, 1))]);
    this.element = el("div", {}, el("div", { class: "scroll" }, this.holder), this.note, this.chooser());
    const draw = oncePerFrame(() => this.draw());
    state.onChange((change) => {
      if (change === "choice" && !this.chosen.has(state.figure)) this.chosen.add(state.figure);
      draw();
    });
    onTheme(draw);
    onUnits(draw);
    new ResizeObserver(draw).observe(this.element);
  }

  /** The columns that are axes, in the order of the table. */
  get columns(): Column[] {
    return this.state.study.columns.filter((one) => this.chosen.has(one));
  }

  draw(): void {
    const { columns, state } = this;
    this.axes = columns.map((one) => axisOf(one, one.isLogarithmic || (one === state.figure && state.isLogarithmic)));
    const width = Math.max(this.element.clientWidth, 2 * SIDE + APART * (columns.length - 1));
    const pen = this.element.clientWidth > 0 ? penOf(this.canvas, width, HEIGHT) : null;
    if (!pen) return;
    const x = (k: number) => (columns.length > 1 ? SIDE + ((width - 2 * SIDE) * k) / (columns.length - 1) : width / 2);
    this.drawLines(pen, x);
    this.drawAxes(pen, x, width);
    this.place(x);
  }

  private drawLines(pen: CanvasRenderingContext2D, x: (k: number) => number): void {
    const { state, axes } = this;
    const { study } = state;
    const colours = axisOf(state.figure, state.isLogarithmic);
    const batches: number[][] = Array.from({ length: SHADES }, () => []);
    const [hidden, unknown]: [number[], number[]] = [[], []];
    const others = study.count - state.passing;
    const [own, other] = [thinning(state.passing, MOST_LINES), thinning(others, MOST_OTHERS)];
    for (let row = 0; row < study.count; row++) {
      const share = colours.place(state.figure.values[row]);
      if (!state.passes[row]) {
        if (other()) hidden.push(row);
      } else if (own()) {
        if (!Number.isFinite(share)) unknown.push(row);
        else batches[Math.min(Math.floor(share * SHADES), SHADES - 1)].push(row);
      }
    }
    const shown = Math.min(state.passing, MOST_LINES);
    this.note.textContent = shown < state.passing ? `${shown} of ${state.passing} runs are drawn as lines, evenly chosen.` : "";
    const lines = (rows: number[]) => {
      for (const row of rows) {
        pen.beginPath();
        let isDown = false;
        axes.forEach((axis, k) => {
          const y = up(axis.place(axis.column.values[row]));
          if (Number.isFinite(y)) (isDown ? pen.lineTo : pen.moveTo).call(pen, x(k), y);
          isDown = Number.isFinite(y);
        });
        pen.stroke();
      }
    };
    const alpha = (count: number) => Math.min(Math.max(60 / Math.max(count, 1), 0.06), 0.85);
    pen.lineWidth = 1;
    pen.strokeStyle = colour("muted");
    pen.globalAlpha = 0.35 * alpha(hidden.length);
    lines(hidden);
    pen.globalAlpha = alpha(shown);
    lines(unknown);
    batches.forEach((rows, k) => {
      pen.strokeStyle = shade((k + 0.5) / SHADES);
      lines(rows);
    });
    pen.globalAlpha = 1;
    if (state.chosen >= 0) {
      for (const [ink, width] of [[colour("panel"), 5], [colour("text"), 2.2]] as const) {
        [pen.strokeStyle, pen.lineWidth] = [ink, width];
        lines([state.chosen]);
      }
    }
  }

  private drawAxes(pen: CanvasRenderingContext2D, x: (k: number) => number, width: number): void {
    const room = this.axes.length > 1 ? x(1) - x(0) - 10 : width - 2 * SIDE;
    pen.lineWidth = 1;
    this.axes.forEach((axis, k) => {
      const at = x(k);
      pen.strokeStyle = colour("muted");
      pen.strokeRect(at, TOP, 0, HEIGHT - TOP - BOTTOM);
      const brush = this.state.brushes.get(axis.column);
      if (brush) {
        const [low, high] = brush.map((value) => up(axis.place(value)));
        pen.fillStyle = colour("accent");
        pen.globalAlpha = 0.3;
        pen.fillRect(at - 6, high, 12, low - high);
        pen.globalAlpha = 1;
        pen.fillRect(at - 6, high - 1, 12, 2);
        pen.fillRect(at - 6, low - 1, 12, 2);
      }
      const isLast = k === this.axes.length - 1 && k > 0;
      pen.textAlign = isLast ? "right" : "left";
      pen.font = "11px system-ui, sans-serif";
      for (const [value, text] of axis.ticks(5)) {
        const y = up(axis.place(value));
        if (!(y >= TOP - 1 && y <= HEIGHT - BOTTOM + 1)) continue;
        const shown = fitted(pen, text, room - 8);
        const wide = pen.measureText(shown).width;
        pen.globalAlpha = 0.75;
        pen.fillStyle = colour("panel");
        pen.fillRect(isLast ? at - 8 - wide : at + 6, y - 7, wide + 3, 14);
        pen.globalAlpha = 1;
        pen.fillStyle = colour("muted");
        pen.fillRect(at - 3, y - 0.5, 6, 1);
        pen.fillText(shown, isLast ? at - 7 : at + 7, y + 4);
      }
    });
  }

  /** Puts the names, and what is dragged and has the keys, over the axes. */
  private place(x: (k: number) => number): void {
    const apart = this.axes.length > 1 ? x(1) - x(0) : 2 * SIDE;
    if (this.handles.childElementCount !== this.axes.length || this.axes.some(({ column }, k) => (this.handles.children[k] as HTMLElement).dataset.name !== column.name)) {
      this.handles.replaceChildren(...this.axes.map((axis) => this.handle(axis.column)));
    }
    this.axes.forEach(({ column, title }, k) => {
      const handle = this.handles.children[k] as HTMLElement;
      const brush = this.state.brushes.get(column);
      const [left, right] = [Math.max(x(k) - apart / 2, 0), Math.min(x(k) + apart / 2, this.canvas.clientWidth)];
      Object.assign(handle.style, { left: `${left}px`, width: `${right - left}px`, height: `${HEIGHT}px` });
      const label = handle.firstElementChild as HTMLElement;
      label.textContent = title;
      label.title = title;
      handle.setAttribute("aria-valuetext", brush ? `${told(column, brush[0])} to ${told(column, brush[1])}` : "all");
      handle.classList.toggle("brushed", brush !== undefined);
      const words = column.words ? (brush ? "some" : "") : brush ? `${told(column, brush[0])} … ${told(column, brush[1])}` : "";
      (handle.lastElementChild as HTMLElement).textContent = words;
    });
  }

  private handle(column: Column): HTMLElement {
    const handle = el(
      "div",
      {
        class: "handle",
        tabindex: "0",
        role: "slider",
        "aria-label": column.label,
        "aria-valuenow": "0",
        "data-name": column.name,
        title: "Drag to keep the runs in a range, click to keep all. Keys: arrows move the upper end, with Shift the lower one; Escape keeps all",
      },
      el("b", {}),
      el("span", {}),
    );
    handle.addEventListener("pointerdown", (event) => this.drag(event, handle, column));
    handle.addEventListener("keydown", (event) => this.press(event, column));
    return handle;
  }

  private drag(event: PointerEvent, handle: HTMLElement, column: Column): void {
    if (event.button !== 0) return;
    const top = handle.getBoundingClientRect().top;
    const axis = () => this.axes.find((one) => one.column === column) as Axis;
    const at = (one: PointerEvent) => down(one.clientY - top);
    const first = at(event);
    const began = event.clientY;
    handle.setPointerCapture(event.pointerId);
    const move = (one: PointerEvent) => {
      if (Math.abs(one.clientY - began) < CLICK) return;
      this.state.brush(column, [axis().value(first), axis().value(at(one))]);
    };
    const stop = (one: PointerEvent) => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", stop);
      handle.removeEventListener("pointercancel", stop);
      if (Math.abs(one.clientY - began) < CLICK) this.state.brush(column, null);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", stop);
    handle.addEventListener("pointercancel", stop);
  }

  private press(event: KeyboardEvent, column: Column): void {
    const by = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
    if (event.key === "Escape" || event.key === "Delete") this.state.brush(column, null);
    else if (by) {
      const axis = this.axes.find((one) => one.column === column) as Axis;
      const ends = (this.state.brushes.get(column) ?? [axis.value(0), axis.value(1)]).map(axis.place);
      const end = event.shiftKey ? 0 : 1;
      ends[end] = Math.min(Math.max(ends[end] + by, end === 0 ? 0 : ends[0]), end === 0 ? ends[1] : 1);
      const isAll = ends[0] <= 1e-9 && ends[1] >= 1 - 1e-9;
      this.state.brush(column, isAll ? null : [axis.value(ends[0]), axis.value(ends[1])]);
    } else return;
    event.preventDefault();
  }

  /** Which columns are axes. */
  private chooser(): HTMLElement {
    const boxes = this.state.study.columns.map((column) => {
      const flip = () => {
        if (!this.chosen.delete(column)) this.chosen.add(column);
        this.draw();
      };
      return el("label", { title: column.name }, el("input", { type: "checkbox", checked: this.chosen.has(column), change: flip }), column.label);
    });
    return el("details", { class: "axes" }, el("summary", {}, "Axes"), el("div", { class: "found" }, ...boxes));
  }
}

/** Says of one after the other whether it is among so many, evenly chosen. */
function thinning(count: number, most: number): () => boolean {
  let k = 0;
  return () => Math.floor(((k + 1) * most) / count) > Math.floor((k++ * most) / count) || count <= most;
}

/** From a place on an axis to pixels, and back. */
function up(place: number): number {
  return HEIGHT - BOTTOM - place * (HEIGHT - TOP - BOTTOM);
}

function down(y: number): number {
  return Math.min(Math.max((HEIGHT - BOTTOM - y) / (HEIGHT - TOP - BOTTOM), 0), 1);
}
