// One plot over time: its lines, the time of the player, zoom by drag and wheel, and exports.

import uPlot from "uplot";
import { curvesOf, NEUTRAL } from "./curves";
import { download, el, fileName } from "./dom";
import { csv, svg, type Curve } from "./export";
import type { PlotPlan } from "./groups";
import { titleOf } from "./groups";
import { Hover, valueAt } from "./hover";
import type { Plots } from "./plots";
import { colour, lineColour } from "./theme";
import { figure, largest, readable, type Scale } from "./units";

/** Numbers beyond are not drawn. */
const LARGEST = 1e300;

/** How far one notch of a wheel zooms. */
const NOTCH = 1.25;

/** A page that has been scrolled goes on scrolling for so long (ms), whatever comes under the mouse. */
const SCROLLING = 300;

/** The look of axes. */
export function axisStyle() {
  return {
    stroke: colour("muted"),
    grid: { stroke: colour("rule"), width: 1 },
    ticks: { stroke: colour("rule"), width: 1, size: 4 },
    font: "11px system-ui, sans-serif",
    labelFont: "11px system-ui, sans-serif",
  };
}

export class Plot {
  readonly element: HTMLElement;
  chart: uPlot | null = null;
  readonly lines: Curve[];
  private readonly unit = el("span", { class: "unit" });
  private readonly holder = el("div", { class: "chart" });
  private readonly marker = el("div", { class: "marker" });
  private readonly hover = new Hover();
  private readonly legend: { value: HTMLElement; chip: HTMLElement; line: Curve }[] = [];
  /** Channels that are hidden here, by their place. */
  private readonly hidden = new Set<number>();
  /** The time under the mouse, in this plot or another. */
  private pointed: number | null = null;
  /** The range of values that was zoomed to, as drawn. */
  private range: [number, number] | null = null;
  private scale: Scale = { unit: "", factor: 1 };
  private readonly resized: ResizeObserver;

  constructor(
    private readonly plots: Plots,
    private readonly about: PlotPlan,
  ) {
    const { runs } = plots;
    this.lines = curvesOf(runs, about);
    const save = (kind: "svg" | "csv") => () => this.save(kind);
    const what = runs.compares ? titleOf(about.channels[0]) : "";
    const head = el(
      "header",
      {},
      el("h3", {}, about.title, this.unit, what && what !== about.title ? el("span", { class: "unit kind" }, what) : null),
      el("button", { class: "quiet", title: "Save as SVG, as drawn", click: save("svg") }, "SVG"),
      el("button", { class: "quiet", title: "Save the plotted values in SI units; the results have all digits", click: save("csv") }, "CSV"),
    );
    const legend = el("div", { class: "legend" });
    for (const line of this.lines.filter((one) => one.dash.length === 0)) {
      const value = el("output", {});
      const flip = () => (runs.compares ? runs.flip(line.run) : this.flip(line.key));
      const chip = el("button", { class: "chip", title: "Show or hide", click: flip }, el("i", {}), this.label(line), value);
      legend.append(chip);
      this.legend.push({ value, chip, line });
    }
    if (this.lines.some((one) => one.dash.length > 0)) legend.append(el("span", { class: "chip plan" }, el("i", { class: "dashed" }), "plan"));
    this.element = el("article", { class: "plot" }, head, this.holder, legend);
    this.measure();
    this.holder.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.resized = new ResizeObserver(() => {
      const width = this.holder.clientWidth;
      if (this.chart && width > 0 && width !== this.chart.width) this.chart.setSize({ width, height: this.chart.height });
    });
    this.resized.observe(this.holder);
  }

  destroy(): void {
    this.resized.disconnect();
    this.chart?.destroy();
    this.chart = null;
  }

  /** Chooses the unit in which it is read best. */
  measure(): void {
    const scale = readable(this.about.unit, this.lines.reduce((most, line) => Math.max(most, largest(line.values)), 0));
    if (scale.unit !== this.scale.unit) this.range = null;
    this.scale = scale;
    this.unit.textContent = this.unitText();
  }

  /** Draws anew, with the colours of the theme, the units, and the lines that are shown. */
  rebuild(): void {
    this.chart?.destroy();
    this.measure();
    const { scale } = this;
    const axis = axisStyle();
    const tables = this.lines.map((line) => [line.times, drawable(line.values, scale.factor)] as unknown as uPlot.AlignedData);
    const same = this.lines.every((line) => line.times === this.lines[0].times);
    const data = same
      ? ([this.lines[0].times, ...tables.map((one) => one[1])] as unknown as uPlot.AlignedData)
      : uPlot.join(tables);
    const label = this.unitText();
    this.chart = new uPlot(
      {
        width: this.holder.clientWidth || 600,
        height: this.plots.runs.compares ? 150 : 190,
        legend: { show: false },
        padding: [10, 12, 0, 0],
        scales: {
          x: { time: false, range: () => this.span() },
          y: { range: (_, low, high) => this.range ?? room(low, high) },
        },
        axes: [
          { ...axis, size: 34, values: (_, ticks) => ticks.map((t) => `${figure(t, 6)}`), label: "t [s]", labelSize: 14, labelGap: -2 },
          { ...axis, size: 62, space: 24, values: (_, ticks) => ticks.map((y) => figure(y, 5)), label: label ? `[${label}]` : undefined, labelSize: label ? 16 : 0 },
        ],
        series: [{}, ...this.lines.map((line) => this.series(line))],
        cursor: {
          sync: { key: "time", setSeries: false },
          // what is narrower than this is meant for the other direction alone
          drag: { x: true, y: true, uni: 40, setScale: false },
          points: { size: 6 },
          bind: this.hands(),
        },
        hooks: {
          setSelect: [(chart) => this.selected(chart)],
          setCursor: [(chart) => this.point(chart)],
          draw: [(chart) => this.drawEvents(chart), () => this.mark(this.plots.player.t)],
        },
      },
      data,
      this.holder,
    );
    this.chart.over.append(this.marker, this.hover.element);
    this.chart.over.addEventListener("mouseleave", () => this.hover.hide());
    for (const { chip, line } of this.legend) {
      chip.style.setProperty("--line", inkOf(line));
      chip.classList.toggle("off", !this.shows(line));
    }
    this.mark(this.plots.player.t);
  }

  /** Takes the span of time that all plots show. */
  fit(): void {
    this.chart?.setScale("x", { min: this.plots.window[0], max: this.plots.window[1] });
  }

  /** Shows all values again. */
  unzoom(): void {
    this.range = null;
    this.chart?.setData(this.chart.data);
  }

  /** Shows the time of the player. */
  mark(t: number): void {
    if (!this.chart) return;
    const x = this.chart.valToPos(t, "x");
    this.marker.style.transform = `translateX(${x}px)`;
    this.marker.hidden = x < -1 || x > this.chart.over.clientWidth + 1;
    if (this.pointed === null) this.read(t);
  }

  private series(line: Curve): uPlot.Series {
    return {
      label: line.name,
      stroke: inkOf(line),
      width: line.dash.length > 0 ? 1.2 : 1.6,
      dash: line.dash.length > 0 ? line.dash : undefined,
      // whole pixels would be stairs
      pxAlign: 0,
      paths: line.isHeld ? uPlot.paths.stepped?.({ align: 1 }) : undefined,
      // times of other runs leave nothing between the rows, which is no gap
      spanGaps: false,
      points: { show: line.times.length < 3 },
      show: this.shows(line),
    };
  }

  /** Dragging moves in time, or selects what to zoom to. */
  private hands(): uPlot.Cursor.Bind {
    const { player } = this.plots;
    return {
      mousedown: (chart, _, pass) => (event: MouseEvent) => {
        if (event.button !== 0) return null;
        if (this.plots.zoomsByDrag || event.shiftKey) return pass(event);
        const rect = chart.over.getBoundingClientRect();
        const scrub = (at: MouseEvent) => player.seek(chart.posToVal(at.clientX - rect.left, "x"));
        scrub(event);
        const stop = () => {
          document.removeEventListener("mousemove", scrub);
          document.removeEventListener("mouseup", stop);
        };
        document.addEventListener("mousemove", scrub);
        document.addEventListener("mouseup", stop);
        return null;
      },
      dblclick: () => () => {
        this.plots.zoom(player.start, player.end);
        this.unzoom();
        return null;
      },
    };
  }

  private selected(chart: uPlot): void {
    const { left, top, width, height } = chart.select;
    const { clientWidth, clientHeight } = chart.over;
    chart.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    if (height > 3 && height < clientHeight) this.zoomValues(chart.posToVal(top + height, "y"), chart.posToVal(top, "y"));
    if (width > 3 && width < clientWidth) this.plots.zoom(chart.posToVal(left, "x"), chart.posToVal(left + width, "x"));
  }

  private zoomValues(low: number, high: number): void {
    if (!(high > low)) return;
    this.range = [low, high];
    this.chart?.setScale("y", { min: low, max: high });
  }

  /** The wheel zooms in time; over the values, or with shift, it zooms them. */
  private wheel(event: WheelEvent): void {
    const { chart, plots } = this;
    const turned = event.deltaY || event.deltaX;
    if (!chart || turned === 0 || performance.now() - plots.scrolledAt < SCROLLING) return;
    const rect = chart.over.getBoundingClientRect();
    const by = turned > 0 ? NOTCH : 1 / NOTCH;
    const about = (from: number, to: number, at: number): [number, number] => [at - (at - from) * by, at + (to - at) * by];
    if (event.shiftKey || event.clientX < rect.left) {
      const { min = 0, max = 1 } = chart.scales.y;
      this.zoomValues(...about(min, max, chart.posToVal(event.clientY - rect.top, "y")));
    } else {
      const [from, to] = plots.window;
      // all is shown: the page scrolls on
      if (by > 1 && from <= plots.player.start && to >= plots.player.end) return;
      plots.zoom(...about(from, to, chart.posToVal(event.clientX - rect.left, "x")));
    }
    event.preventDefault();
  }

  /** Reads the values under the mouse. */
  private point(chart: uPlot): void {
    const { left = -1, event } = chart.cursor;
    this.pointed = left >= 0 ? chart.posToVal(left, "x") : null;
    this.read(this.pointed ?? this.plots.player.t);
    if (this.pointed === null || !event || !this.holder.contains(event.target as Node)) {
      this.hover.hide();
      return;
    }
    const lines = this.lines.filter((line) => this.shows(line));
    const named = lines.map((line) => ({ line, label: line.dash.length > 0 ? "plan" : this.label(line), ink: inkOf(line) }));
    this.hover.show(chart, `t = ${figure(this.pointed, 5)} s`, this.pointed, named, this.scale.factor);
  }

  private read(t: number): void {
    for (const { value, line } of this.legend) value.textContent = valueAt(line, t, this.scale.factor);
  }

  private label(line: Curve): string {
    return this.plots.runs.compares ? this.plots.runs.all[line.run].name : line.name;
  }

  private shows(line: Curve): boolean {
    return !this.hidden.has(line.key) && (line.colour === NEUTRAL || this.plots.runs.shows(line.run));
  }

  private flip(key: number): void {
    if (!this.hidden.delete(key)) this.hidden.add(key);
    this.rebuild();
  }

  private span(): [number, number] {
    const [from, to] = this.plots.window;
    return to > from ? [from, to] : [from - 0.5, to + 0.5];
  }

  private unitText(): string {
    return this.scale.unit === "1" ? "" : this.scale.unit;
  }

  private drawEvents(chart: uPlot): void {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.strokeStyle = colour("muted");
    ctx.setLineDash([2, 4]);
    for (const { time } of this.plots.runs.all[0].words.events) {
      const x = chart.valToPos(time, "x", true);
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  private save(kind: "svg" | "csv"): void {
    const lines = this.lines.filter((line) => this.shows(line));
    const { title } = this.about;
    const name = fileName(`${this.plots.runs.all[0].name}-${title}`, kind);
    if (kind === "csv") {
      download(name, "text/csv", csv(lines));
      return;
    }
    const { factor } = this.scale;
    const drawn = lines.map((line) => ({ ...line, values: line.values.map((x) => factor * x) }));
    const label = this.unitText();
    download(name, "image/svg+xml", svg(title, "t [s]", label ? `[${label}]` : "", drawn, this.span()));
  }
}

/** The colour of a line on the screen. */
export function inkOf(line: Curve): string {
  return line.colour === NEUTRAL ? colour("text") : lineColour(line.colour);
}

/** Values that uPlot may draw: what is no number becomes a gap. */
function drawable(values: Float64Array, factor: number): Float64Array | (number | null)[] {
  if (values.some(Number.isNaN)) return Array.from(values, (x) => (Number.isNaN(x) ? null : factor * x));
  return factor === 1 ? values : values.map((x) => factor * x);
}

/** A range with a little room, also for what does not change. */
export function room(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  // the distance of the largest numbers is none
  [low, high] = [Math.max(low, -LARGEST), Math.min(high, LARGEST)];
  const gap = high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high)) ? 0.06 * (high - low) : Math.max(0.05 * Math.abs(low), 1e-12);
  return [low - gap, high + gap];
}
