// The response: a figure over a parameter in points and curves, or over two as a map.

import { el, oncePerFrame } from "../dom";
import { colour, lineColour, onTheme } from "../theme";
import { onUnits } from "../units";
import { axisOf, fitted, penOf, shade, told, type Axis } from "./axis";
import type { Column } from "./data";
import { front } from "./front";
import { MOST_CURVES, type State } from "./state";

const HEIGHT = 420;
const [LEFT, RIGHT, TOP, BOTTOM] = [66, 16, 14, 46];

/** The bar of colours beside a map, with its numbers. */
const BAR = 74;

/** How near the mouse must be to a point (px). */
const NEAR = 22;

/** Smaller dots are squares, which are faster (px). */
const SQUARE = 2;

/** Parameters that are told beside the mouse. */
const TOLD = 10;

/** Where the rows are on the drawing, by their places in the list of rows. */
interface Points {
  rows: number[];
  x: Float64Array;
  y: Float64Array;
}

/** A curve: the rows that it is of, and how it looks. */
interface Series {
  name: string;
  ink: string;
  rows: number[];
}

export class Response {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { id: "response", role: "img", tabindex: "0", "aria-label": "the figure over a parameter; arrows go from run to run" });
  private readonly hover = el("div", { class: "hover", hidden: true });
  private readonly holder = el("div", { class: "chart" }, this.canvas, this.hover);
  private readonly legend = el("div", { class: "legend" });
  private readonly note = el("p", { class: "note", id: "reading" });
  private drawn: Points = { rows: [], x: new Float64Array(), y: new Float64Array() };

  constructor(private readonly state: State) {
    this.element = el("div", {}, this.holder, this.legend, this.note);
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => (this.hover.hidden = true));
    this.canvas.addEventListener("click", (event) => {
      const row = this.nearest(event);
      if (row >= 0) state.choose(row);
    });
    this.canvas.addEventListener("keydown", (event) => this.step(event));
    const draw = oncePerFrame(() => this.draw());
    state.onChange(draw);
    onTheme(draw);
    onUnits(draw);
    new ResizeObserver(draw).observe(this.holder);
  }

  draw(): void {
    const { state } = this;
    const width = this.holder.clientWidth;
    const pen = width > 0 ? penOf(this.canvas, width, HEIGHT) : null;
    if (!pen) return;
    pen.font = "11px system-ui, sans-serif";
    const { over, by } = state;
    const isMap = by !== null && !curvesSuit(by);
    this.legend.replaceChildren();
    if (isMap && by) this.drawMap(pen, width, by);
    else this.drawCurves(pen, width, by, over);
    this.mark(pen);
  }

  private drawCurves(pen: CanvasRenderingContext2D, width: number, by: Column | null, over: Column): void {
    const { state } = this;
    const { study, figure } = state;
    const x = axisOf(over, over.isLogarithmic || (over.kind === "figure" && state.isLogarithmic), 0.03);
    const y = axisOf(figure, state.isLogarithmic, 0.05);
    const frame = drawAxes(pen, x, y, width, width - RIGHT);
    const all = seriesOf(state, by);
    this.drawn = place(all.flatMap((one) => one.rows), over, figure, x, y, frame);
    const line = over.levels !== null;
    const size = this.drawn.rows.length > 3000 ? 1.6 : this.drawn.rows.length > 300 ? 2.4 : 3.2;
    let medians = false;
    for (const series of all) {
      pen.strokeStyle = pen.fillStyle = series.ink;
      const points = place(series.rows, over, figure, x, y, frame);
      const middle = line ? medianLine(points) : null;
      medians ||= middle !== null && middle.length < points.rows.length;
      pen.globalAlpha = middle && middle.length < points.rows.length ? 0.35 : points.rows.length > 3000 ? 0.5 : 0.9;
      dots(pen, points, size);
      pen.globalAlpha = 1;
      if (middle) stroke(pen, middle, 1.8);
    }
    this.drawn = place(state.rows(), over, figure, x, y, frame);
    if (all.length > 1 || by) this.tellSeries(all, by);
    const best = front(study, this.drawn.rows, over, figure);
    if (best) {
      pen.strokeStyle = colour("text");
      stroke(pen, corners(place(best.rows, over, figure, x, y, frame), best.isPath, frame.right), 1.4);
      if (!best.isPath) dots(pen, place(best.rows, over, figure, x, y, frame), size + 1.5, true);
    }
    const left = state.passing - this.drawn.rows.length;
    const notes = [
      medians ? "Lines join the medians." : "",
      best ? best.words : "",
      left > 0 ? `${left} of ${state.passing} runs have no such number.` : "",
    ];
    this.note.textContent = notes.filter(Boolean).join(" ");
  }

  private drawMap(pen: CanvasRenderingContext2D, width: number, by: Column): void {
    const { state } = this;
    const { over, figure: shown } = state;
    const colours = axisOf(shown, state.isLogarithmic);
    const isGrid = over.levels !== null && by.levels !== null;
    const room = isGrid ? [half(over), half(by)] : [0.03, 0.04];
    const [x, y] = [axisOf(over, over.isLogarithmic, room[0]), axisOf(by, by.isLogarithmic, room[1])];
    const frame = drawAxes(pen, x, y, width, width - BAR - RIGHT, isGrid);
    this.drawn = place(state.rows().filter((k) => Number.isFinite(shown.values[k])), over, by, x, y, frame);
    const ink = (value: number) => shade(colours.place(value));
    let words = "Each point is a run.";
    if (over.levels && by.levels) {
      const cells = cellsOf(this.drawn.rows, over, by);
      const most = Math.max(1, ...[...cells.values()].map((rows) => rows.length));
      words = most > 1 ? `Each cell is the median of up to ${most} runs.` : "Each cell is a run.";
      const [columns, rows] = [edges(over, x), edges(by, y)];
      for (const [key, own] of cells) {
        const [i, j] = key.split(",").map(Number);
        pen.fillStyle = ink(median(own.map((k) => shown.values[k])));
        const [x0, x1] = [frame.x(columns[i]), frame.x(columns[i + 1])];
        const [y0, y1] = [frame.y(rows[j]), frame.y(rows[j + 1])];
        // no seams between cells
        pen.fillRect(x0, y1, x1 - x0 + 0.4, y0 - y1 + 0.4);
      }
    } else {
      const size = this.drawn.rows.length > 3000 ? 2 : 3.6;
      this.drawn.rows.forEach((k, at) => {
        pen.fillStyle = ink(shown.values[k]);
        pen.beginPath();
        pen.arc(this.drawn.x[at], this.drawn.y[at], size, 0, 2 * Math.PI);
        pen.fill();
      });
    }
    drawBar(pen, colours, width - BAR, frame);
    const left = state.passing - this.drawn.rows.length;
    this.note.textContent = left > 0 ? `${words} ${left} of ${state.passing} runs have no such number.` : words;
  }

  /** A ring around the run that was chosen. */
  private mark(pen: CanvasRenderingContext2D): void {
    const at = this.drawn.rows.indexOf(this.state.chosen);
    if (at < 0) return;
    for (const [ink, width] of [[colour("panel"), 4.5], [colour("text"), 2]] as const) {
      pen.strokeStyle = ink;
      pen.lineWidth = width;
      pen.beginPath();
      pen.arc(this.drawn.x[at], this.drawn.y[at], 7, 0, 2 * Math.PI);
      pen.stroke();
    }
  }

  private tellSeries(all: Series[], by: Column | null): void {
    const chips = all.map(({ name, ink }) => {
      const chip = el("span", { class: "chip" }, el("i", {}), name);
      chip.style.setProperty("--line", ink);
      return chip;
    });
    this.legend.replaceChildren(by ? el("span", { class: "chip" }, by.label) : "", ...chips);
  }

  /** The row that is nearest to the mouse; none where none is near. */
  private nearest(event: MouseEvent): number {
    const rect = this.canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - rect.left, event.clientY - rect.top];
    const { by, over } = this.state;
    const isGrid = by !== null && !curvesSuit(by) && over.levels !== null && by.levels !== null;
    let [best, row] = [isGrid ? Infinity : NEAR, -1];
    if (isGrid && (px < LEFT || py > HEIGHT - BOTTOM || px > rect.width - BAR)) return -1;
    this.drawn.rows.forEach((k, at) => {
      const off = Math.hypot(this.drawn.x[at] - px, this.drawn.y[at] - py);
      if (off < best) [best, row] = [off, k];
    });
    return row;
  }

  private point(event: PointerEvent): void {
    const row = this.nearest(event);
    this.hover.hidden = row < 0;
    this.canvas.style.cursor = row < 0 ? "default" : "pointer";
    if (row < 0) return;
    const at = this.drawn.rows.indexOf(row);
    this.hover.replaceChildren(...tellRow(this.state, row));
    const isRight = this.drawn.x[at] > this.canvas.clientWidth / 2;
    this.hover.style.left = isRight ? "" : `${this.drawn.x[at] + 14}px`;
    this.hover.style.right = isRight ? `${this.canvas.clientWidth - this.drawn.x[at] + 14}px` : "";
    this.hover.style.top = `${Math.min(this.drawn.y[at], HEIGHT - 130)}px`;
  }

  /** Arrows go from run to run, along the axis. */
  private step(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const { rows, x, y } = this.drawn;
    if (!by || rows.length === 0) return;
    event.preventDefault();
    const order = rows.map((_, at) => at).sort((a, b) => x[a] - x[b] || y[b] - y[a] || a - b);
    const now = order.findIndex((at) => rows[at] === this.state.chosen);
    const next = now < 0 ? (by > 0 ? 0 : order.length - 1) : Math.min(Math.max(now + by, 0), order.length - 1);
    if (next !== now) this.state.choose(rows[order[next]]);
  }
}

/** Whether a column makes a few curves rather than a map. */
export function curvesSuit(by: Column): boolean {
  return by.words !== null || (by.levels !== null && by.levels.length <= MOST_CURVES);
}

/** What is told of a run beside the mouse. */
function tellRow({ study, figure, over, by }: State, row: number): Node[] {
  const first = [figure, over, ...(by ? [by] : [])].filter((one) => one.kind !== "index");
  const rest = study.parameters.filter((one) => !first.includes(one)).slice(0, TOLD);
  const lines = [...first, ...rest].map((one) => el("span", {}, el("span", {}, one.label), el("output", {}, told(one, one.values[row]))));
  const status = study.text("status", row);
  return [el("b", {}, `run ${study.run(row)}${status === "completed" ? "" : `, ${status}`}`), ...lines];
}

/** The rows that are shown, by the values of a column. */
function seriesOf(state: State, by: Column | null): Series[] {
  const rows = state.rows();
  if (!by && state.study.optimises) {
    const { study } = state;
    const series = [
      { name: "failed", ink: colour("muted"), rows: rows.filter((row) => study.isUnjudged(row)) },
      { name: "breaks a constraint", ink: colour("mark-free"), rows: rows.filter((row) => !study.isFeasible(row) && !study.isUnjudged(row)) },
      { name: "keeps all constraints", ink: lineColour(0), rows: rows.filter((row) => study.isFeasible(row)) },
    ];
    return series.filter((one) => one.rows.length > 0);
  }
  if (!by) return [{ name: "", ink: lineColour(0), rows }];
  const levels = by.words ? by.words.map((_, k) => k) : (by.levels ?? []);
  const ordered = by.words === null;
  return levels.map((level, k) => ({
    name: told(by, level),
    // numbers have an order, and so have their colours
    ink: ordered && levels.length > 2 ? shade((0.85 * k) / (levels.length - 1)) : lineColour(k),
    rows: rows.filter((row) => by.values[row] === level),
  }));
}

interface Frame {
  x: (place: number) => number;
  y: (place: number) => number;
  right: number;
}

/** The axes of a drawing, with the grid; gives where places on them are. */
function drawAxes(pen: CanvasRenderingContext2D, h: Axis, v: Axis, width: number, right: number, isPlain = false): Frame {
  const [wide, tall] = [right - LEFT, HEIGHT - TOP - BOTTOM];
  const x = (place: number) => LEFT + wide * place;
  const y = (place: number) => TOP + tall * (1 - place);
  pen.strokeStyle = colour("rule");
  pen.fillStyle = colour("muted");
  pen.textAlign = "center";
  const across = h.ticks(Math.max(Math.floor(wide / 80), 4));
  let free = -Infinity;
  for (const [value, text] of across) {
    const at = x(h.place(value));
    if (!isPlain) pen.strokeRect(at, TOP, 0, tall);
    const shown = fitted(pen, text, h.column.words ? wide / across.length - 6 : wide);
    const space = pen.measureText(shown).width / 2;
    if (at - space < free) continue;
    pen.fillText(shown, Math.min(at, width - space - 2), TOP + tall + 16);
    free = at + space + 6;
  }
  pen.textAlign = "right";
  for (const [value, text] of v.ticks(6)) {
    const at = y(v.place(value));
    if (!isPlain) pen.strokeRect(LEFT, at, wide, 0);
    pen.fillText(fitted(pen, text, LEFT - 26), LEFT - 7, at + 4);
  }
  pen.strokeStyle = colour("muted");
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(LEFT, TOP);
  pen.lineTo(LEFT, TOP + tall);
  pen.lineTo(right, TOP + tall);
  pen.stroke();
  pen.fillStyle = colour("text");
  pen.textAlign = "center";
  pen.fillText(fitted(pen, h.title, wide), LEFT + wide / 2, HEIGHT - 10);
  pen.save();
  pen.translate(13, TOP + tall / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(fitted(pen, v.title, tall), 0, 0);
  pen.restore();
  return { x, y, right };
}

/** The bar that says which number a colour is. */
function drawBar(pen: CanvasRenderingContext2D, axis: Axis, left: number, frame: Frame): void {
  const [top, bottom] = [frame.y(1), frame.y(0)];
  for (let y = top; y < bottom; y++) {
    pen.fillStyle = shade((bottom - y) / (bottom - top));
    pen.fillRect(left, y, 12, 1.3);
  }
  pen.fillStyle = colour("muted");
  pen.textAlign = "left";
  for (const [value, text] of axis.ticks(6)) {
    const at = frame.y(axis.place(value));
    pen.fillRect(left + 12, at - 0.5, 4, 1);
    pen.fillText(text, left + 19, at + 4);
  }
  pen.save();
  pen.fillStyle = colour("text");
  pen.translate(left + BAR - 8, (top + bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.textAlign = "center";
  pen.fillText(fitted(pen, axis.title, bottom - top), 0, 0);
  pen.restore();
}

/** Where rows lie that have numbers on both axes. */
function place(rows: number[], over: Column, of: Column, x: Axis, y: Axis, frame: Frame): Points {
  const there = rows.filter((k) => Number.isFinite(x.place(over.values[k])) && Number.isFinite(y.place(of.values[k])));
  return {
    rows: there,
    x: Float64Array.from(there, (k) => frame.x(x.place(over.values[k]))),
    y: Float64Array.from(there, (k) => frame.y(y.place(of.values[k]))),
  };
}

function dots(pen: CanvasRenderingContext2D, { x, y }: Points, size: number, isHollow = false): void {
  pen.lineWidth = 1.4;
  x.forEach((at, k) => {
    if (size < SQUARE && !isHollow) {
      pen.fillRect(at - size, y[k] - size, 2 * size, 2 * size);
      return;
    }
    pen.beginPath();
    pen.arc(at, y[k], size, 0, 2 * Math.PI);
    if (isHollow) pen.stroke();
    else pen.fill();
  });
}

function stroke(pen: CanvasRenderingContext2D, points: [number, number][], width: number): void {
  pen.lineWidth = width;
  pen.lineJoin = "round";
  pen.beginPath();
  points.forEach(([x, y], k) => (k === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
  pen.stroke();
}

/** The middle of the points at each place, from left to right. */
function medianLine({ x, y }: Points): [number, number][] {
  const at = grouped(x, (place) => place, (_, k) => y[k]);
  return [...at].sort(([a], [b]) => a - b).map(([place, all]) => [place, median(all)]);
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1];
}

/** A front in steps: between two of its points nothing better is known. */
function corners({ x, y }: Points, isPath: boolean, right: number): [number, number][] {
  const line: [number, number][] = [];
  x.forEach((at, k) => {
    if (k > 0) line.push([at, y[k - 1]]);
    line.push([at, y[k]]);
  });
  if (isPath && x.length > 0) line.push([right, y[x.length - 1]]);
  return line;
}

/** The rows of each cell of a grid. */
function cellsOf(rows: number[], over: Column, by: Column): Map<string, number[]> {
  const places = (column: Column) => new Map((column.levels ?? []).map((level, k) => [level, k]));
  const [columns, lines] = [places(over), places(by)];
  return grouped(rows, (k) => `${columns.get(over.values[k])},${lines.get(by.values[k])}`, (k) => k);
}

/** What is of each entry, by their keys. */
function grouped<K>(all: Float64Array | number[], key: (one: number) => K, of: (one: number, k: number) => number): Map<K, number[]> {
  const groups = new Map<K, number[]>();
  all.forEach((one, k) => {
    const own = groups.get(key(one));
    if (own) own.push(of(one, k));
    else groups.set(key(one), [of(one, k)]);
  });
  return groups;
}

/** Half the width of the widest cell at an end, as a part of the whole axis. */
function half(column: Column): number {
  const places = (column.levels ?? []).map(axisOf(column).place);
  const last = places.length - 1;
  return last > 0 ? Math.max(places[1] - places[0], places[last] - places[last - 1]) / 2 : 0;
}

/** Where cells begin and end: in the middle between levels, from 0 to 1. */
function edges({ levels }: Column, axis: Axis): number[] {
  const places = (levels ?? []).map(axis.place);
  if (places.length < 2) return [0, 1];
  const middle = places.slice(1).map((place, k) => (place + places[k]) / 2);
  const last = places.length - 1;
  return [2 * places[0] - middle[0], ...middle, 2 * places[last] - middle[last - 1]];
}
