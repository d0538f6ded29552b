// One channel over another.

import { nearest, placeOf, type Channel } from "./data";
import { download, el, fileName } from "./dom";
import { csv, svg, ticks, type Curve } from "./export";
import { groupOf } from "./groups";
import { room } from "./plot";
import type { ExtraTab, Plots } from "./plots";
import { colourPlace, runColour } from "./runs";
import { colour, onTheme } from "./theme";
import { figure, largest, onUnits, readable, stepped, type Scale } from "./units";

const HEIGHT = 380;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 14, 12, 40];

/** How near the mouse must be to a line (px). */
const NEAR = 30;

type Range = [number, number];

/** A line of one run. */
interface Track {
  run: number;
  times: Float64Array;
  x: Float64Array;
  y: Float64Array;
}

export function xyTab(): ExtraTab {
  let page: XyPage | null = null;
  const make = (plots: Plots) => {
    page ??= new XyPage(plots);
    // drawn once it is on the page and has a width
    queueMicrotask(() => page?.draw());
    return page.element;
  };
  return { key: "xy", title: "XY", make };
}

class XyPage {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { id: "xy", role: "img", "aria-label": "one channel over another" });
  private readonly holder = el("div", { class: "chart" }, this.canvas);
  private readonly reading = el("p", { class: "note", id: "xy-reading" });
  private readonly inputs: [HTMLInputElement, HTMLInputElement];
  private readonly equal = el("input", { type: "checkbox", id: "equal", checked: true, change: () => this.draw() });
  private scales: [Scale, Scale] = [readable("", 0), readable("", 0)];
  private at: { x: (v: number) => number; y: (v: number) => number } | null = null;
  private pointed: { run: number; k: number } | null = null;

  constructor(private readonly plots: Plots) {
    const names = plots.runs.channels.map((one) => one.name);
    const list = el("datalist", { id: "xy-names" }, ...names.map((name) => el("option", { value: name })));
    const chosen = usual(plots.runs.channels);
    const [over, of] = ["x", "y"].map((axis, k) =>
      el("input", { id: `xy-${axis}`, list: "xy-names", value: chosen[k] ?? names[k] ?? "", "aria-label": `channel along ${axis}`, change: () => this.draw() }),
    );
    this.inputs = [over, of];
    const turn = () => {
      [over.value, of.value] = [of.value, over.value];
      this.draw();
    };
    const save = (kind: "svg" | "csv") => () => this.save(kind);
    const bar = el(
      "div",
      { class: "bar" },
      el("label", {}, "y", of),
      "over",
      el("label", {}, "x", over),
      el("button", { class: "quiet", title: "Exchange the two", click: turn }, "⇄"),
      el("label", { title: "The same scale along both axes, where both have one unit" }, this.equal, "equal axes"),
      el("span", { class: "gap" }),
      el("button", { class: "quiet", click: save("svg") }, "SVG"),
      el("button", { class: "quiet", click: save("csv") }, "CSV"),
      list,
    );
    this.element = el("article", { class: "plot xy" }, bar, this.holder, this.reading);
    this.canvas.addEventListener("mousemove", (event) => this.point(event));
    this.canvas.addEventListener("mouseleave", () => {
      this.pointed = null;
      this.draw();
    });
    this.canvas.addEventListener("click", () => {
      if (this.pointed) plots.player.seek(plots.runs.times[this.pointed.run][this.pointed.k]);
    });
    const draw = () => this.draw();
    onTheme(draw);
    onUnits(draw);
    plots.onZoom(draw);
    plots.runs.onChange(draw);
    plots.player.onTime(draw);
    new ResizeObserver(draw).observe(this.holder);
  }

  /** Draws the times that all plots show. */
  draw(): void {
    const width = this.holder.clientWidth;
    const pen = this.canvas.getContext("2d");
    if (!this.holder.isConnected || width === 0 || !pen) return;
    const ratio = devicePixelRatio || 1;
    [this.canvas.width, this.canvas.height] = [width * ratio, HEIGHT * ratio];
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${HEIGHT}px` });
    pen.scale(ratio, ratio);
    const channels = this.channels();
    const tracks = this.tracks();
    this.at = null;
    if (!channels || tracks.length === 0) {
      this.reading.textContent = "No run that is shown has both channels.";
      return;
    }
    this.scales = [readable(channels[0].unit, most(tracks.map((one) => one.x))), readable(channels[1].unit, most(tracks.map((one) => one.y)))];
    let [xs, ys] = [rangeOf(tracks.map((one) => one.x)), rangeOf(tracks.map((one) => one.y))];
    const [wide, tall] = [width - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];
    if (this.equal.checked && channels[0].unit === channels[1].unit) {
      // one unit for both, and as many pixels for it
      this.scales = [readable(channels[0].unit, most(tracks.flatMap((one) => [one.x, one.y]))), readable(channels[0].unit, most(tracks.flatMap((one) => [one.x, one.y])))];
      const step = Math.max((xs[1] - xs[0]) / wide, (ys[1] - ys[0]) / tall);
      [xs, ys] = [widened(xs, step * wide), widened(ys, step * tall)];
    }
    const x = (v: number) => LEFT + (wide * (v - xs[0])) / (xs[1] - xs[0]);
    const y = (v: number) => TOP + tall - (tall * (v - ys[0])) / (ys[1] - ys[0]);
    this.at = { x, y };
    this.drawAxes(pen, channels, xs, ys, wide, tall);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, TOP, wide, tall);
    pen.clip();
    for (const track of tracks) this.drawTrack(pen, track);
    pen.restore();
    this.read(channels, tracks);
  }

  private drawAxes(pen: CanvasRenderingContext2D, [over, of]: [Channel, Channel], xs: Range, ys: Range, wide: number, tall: number): void {
    const [h, v] = this.scales;
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = colour("muted");
    pen.strokeStyle = colour("rule");
    pen.textAlign = "center";
    const scaled = (range: Range, { factor }: Scale, about: number) => ticks(factor * range[0], factor * range[1], about).map((one) => [one / factor, figure(one, 5)] as const);
    for (const [at, text] of scaled(xs, h, 8)) {
      const px = this.at?.x(at) ?? 0;
      pen.strokeRect(px, TOP, 0, tall);
      pen.fillText(text, px, TOP + tall + 14);
    }
    pen.textAlign = "right";
    for (const [at, text] of scaled(ys, v, 6)) {
      const py = this.at?.y(at) ?? 0;
      pen.strokeRect(LEFT, py, wide, 0);
      pen.fillText(text, LEFT - 6, py + 4);
    }
    pen.textAlign = "center";
    pen.fillText(named(over, h), LEFT + wide / 2, HEIGHT - 8);
    pen.save();
    pen.translate(12, TOP + tall / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(named(of, v), 0, 0);
    pen.restore();
  }

  private drawTrack(pen: CanvasRenderingContext2D, { run, times, x, y }: Track): void {
    if (!this.at) return;
    pen.strokeStyle = pen.fillStyle = runColour(run);
    pen.lineWidth = 1.6;
    pen.lineJoin = "round";
    pen.beginPath();
    let isDown = false;
    x.forEach((value, k) => {
      const isThere = Number.isFinite(value) && Number.isFinite(y[k]);
      if (isThere && this.at) (isDown ? pen.lineTo : pen.moveTo).call(pen, this.at.x(value), this.at.y(y[k]));
      isDown = isThere;
    });
    pen.stroke();
    const now = nearest(times, this.plots.player.t);
    const marks = [now, ...(this.pointed?.run === run ? [this.pointed.k - this.from(run)] : [])];
    for (const k of marks) {
      pen.beginPath();
      pen.arc(this.at.x(x[k]), this.at.y(y[k]), k === now ? 4.5 : 3.5, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  /** Tells of the place under the mouse, or of the time of the player. */
  private read([over, of]: [Channel, Channel], tracks: Track[]): void {
    const { runs, player } = this.plots;
    const run = this.pointed?.run ?? tracks[0].run;
    const k = this.pointed?.k ?? nearest(runs.times[run], player.t);
    const told = ([over, of] as const).map((channel, axis) => {
      const own = runs.find(run, channel.name);
      const { unit, factor } = this.scales[axis];
      const value = own ? figure(stepped(factor * runs.values(own, run)[k], factor * runs.stepAt(own, k)), 5) : "–";
      return `${channel.name} = ${value} ${unit === "1" ? "" : unit}`.trim();
    });
    const name = runs.compares ? `${runs.all[run].name}, ` : "";
    this.reading.textContent = `${name}t = ${figure(runs.times[run][k], 5)} s: ${told.join(", ")}`;
  }

  private point(event: MouseEvent): void {
    if (!this.at) return;
    const rect = this.canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - rect.left, event.clientY - rect.top];
    let best = NEAR;
    this.pointed = null;
    for (const { run, x, y } of this.tracks()) {
      for (let k = 0; k < x.length; k++) {
        const off = Math.hypot(this.at.x(x[k]) - px, this.at.y(y[k]) - py);
        if (off < best) [best, this.pointed] = [off, { run, k: k + this.from(run) }];
      }
    }
    this.draw();
  }

  private channels(): [Channel, Channel] | null {
    const [over, of] = this.inputs.map((input) => this.plots.runs.channels.find((one) => one.name === input.value));
    return over && of ? [over, of] : null;
  }

  /** The first row of a run that is shown. */
  private from(run: number): number {
    const times = this.plots.runs.times[run];
    const k = placeOf(times, this.plots.window[0]);
    return times[k] < this.plots.window[0] ? k + 1 : k;
  }

  private tracks(): Track[] {
    const { runs, window } = this.plots;
    return runs.all.flatMap((_, run) => {
      const [over, of] = this.inputs.map((input) => runs.find(run, input.value));
      if (!over || !of || !runs.shows(run)) return [];
      const [from, to] = [this.from(run), placeOf(runs.times[run], window[1]) + 1];
      const part = (values: Float64Array) => values.subarray(from, to);
      return [{ run, times: part(runs.times[run]), x: part(runs.values(over, run)), y: part(runs.values(of, run)) }];
    });
  }

  private save(kind: "svg" | "csv"): void {
    const channels = this.channels();
    if (!channels) return;
    const { runs } = this.plots;
    const [over, of] = channels;
    const [h, v] = kind === "csv" ? [1, 1] : this.scales.map(({ factor }) => factor);
    const lines: Curve[] = this.tracks().map(({ run, x, y }) => ({
      name: runs.compares ? runs.all[run].name : of.name,
      unit: of.unit,
      colour: runs.compares ? colourPlace(run) : 0,
      key: 0,
      run,
      dash: [],
      isHeld: false,
      step: () => 0,
      times: x.map((one) => h * one),
      values: y.map((one) => v * one),
    }));
    const name = fileName(`${runs.all[0].name}-${of.name}-over-${over.name}`, kind);
    const plain = (channel: Channel) => (channel.unit === "1" ? channel.name : `${channel.name} [${channel.unit}]`);
    if (kind === "csv") download(name, "text/csv", csv(lines, plain(over)));
    else download(name, "image/svg+xml", svg(`${of.name} over ${over.name}`, named(over, this.scales[0]), named(of, this.scales[1]), lines, rangeOf(lines.map((line) => line.times))));
  }
}

/** What is looked at first: the two directions in which the tip moves most, or the first two joints. */
function usual(channels: Channel[]): string[] {
  const places = channels.filter((one) => one.role === "frame-position");
  const last = places[places.length - 1]?.subject;
  const tip = places.filter((one) => one.subject === last);
  const moves = tip.filter((one) => one.data[2] !== null).sort((a, b) => b.data[1] - a.data[1]).slice(0, 2);
  const joints = channels.filter((one) => groupOf(one) === "joint");
  return (moves.length === 2 ? tip.filter((one) => moves.includes(one)) : joints).map((one) => one.name);
}

function named(channel: Channel, { unit }: Scale): string {
  return unit && unit !== "1" ? `${channel.name} [${unit}]` : channel.name;
}

function most(rows: Float64Array[]): number {
  return Math.max(0, ...rows.map(largest));
}

function rangeOf(rows: Float64Array[]): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    for (const x of row) {
      if (!Number.isFinite(x)) continue;
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
  }
  return room(low, high);
}

/** A range about the same middle. */
function widened([low, high]: Range, length: number): Range {
  const middle = 0.5 * (low + high);
  return [middle - 0.5 * length, middle + 0.5 * length];
}
