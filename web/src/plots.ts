// Plots of all channels, in groups, that share the time of the player and their zoom.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { figure, groupOf, nearest, stepped, type Channel, type Numbers, type Run } from "./data";
import { download, el, fileName } from "./dom";
import { csv, dashes, svg, type Curve } from "./export";
import type { Player } from "./player";
import { colour, lineColour, onTheme } from "./theme";

/** Numbers beyond are not drawn. */
const LARGEST = 1e300;

/** Lines of one plot, at most. */
const MOST_LINES = 8;

export interface PlotPlan {
  title: string;
  unit: string;
  channels: Channel[];
}

export interface GroupPlan {
  key: string;
  title: string;
  plots: PlotPlan[];
}

const GROUPS: [string, string][] = [
  ["joint", "Joints"],
  ["bending", "Bending"],
  ["tip", "Tip"],
  ["force", "Torques"],
  ["energy", "Energies"],
  ["sensor", "Sensors"],
  ["other", "Others"],
];

/** What is drawn together: the same kind of thing in the same unit. */
export function plan(channels: Channel[]): GroupPlan[] {
  const groups: GroupPlan[] = [];
  for (const [key, title] of GROUPS) {
    const plots = new Map<string, PlotPlan>();
    for (const channel of channels.filter((one) => groupOf(one) === key)) {
      const name = titleOf(channel);
      const id = `${name}|${channel.unit}`;
      const plot = plots.get(id) ?? { title: name, unit: channel.unit, channels: [] };
      plot.channels.push(channel);
      plots.set(id, plot);
    }
    const split = [...plots.values()].flatMap((plot) => {
      const parts: PlotPlan[] = [];
      for (let k = 0; k < plot.channels.length; k += MOST_LINES) {
        parts.push({ ...plot, channels: plot.channels.slice(k, k + MOST_LINES) });
      }
      return parts;
    });
    if (split.length > 0) groups.push({ key, title, plots: split });
  }
  return groups;
}

const OTHERS: Record<string, string> = {
  sensor: "Sensors",
  command: "Commands",
  telemetry: "Telemetry",
  estimate: "Estimates",
  reference: "References",
};

function titleOf(channel: Channel): string {
  const { name, unit, role, subject } = channel;
  const turns = unit.startsWith("rad");
  switch (groupOf(channel)) {
    case "joint":
      if (role === "velocity") return "Joint velocities";
      if (role === "acceleration") return "Joint accelerations";
      return turns ? "Joint angles" : unit === "m" ? "Joint positions" : "Joint orientations";
    case "bending": {
      const what = role === "velocity" ? ", rate" : role === "acceleration" ? ", acceleration" : "";
      return `Bending of ${subject ?? name}${what}`;
    }
    case "tip": {
      const kinds: Record<string, string> = { "frame-orientation": "quaternion", "frame-angular-velocity": "angular velocity" };
      return `${subject ?? name}, ${kinds[role] ?? role.slice("frame-".length)}`;
    }
    case "force":
      return unit === "N" ? "Forces" : unit === "N m" ? "Torques" : "Generalised forces";
    case "energy":
      if (role === "energy-drift") return "Energy drift";
      if (role === "angular-momentum") return "Angular momentum";
      return role === "momentum" ? "Momentum" : "Energies and works";
    default:
      return OTHERS[role] ?? "Others";
  }
}

/** All plots of a page. */
export class Plots {
  readonly element = el("section", { class: "plots" });
  /** The plots that exist, for the page's own tests. */
  readonly shown: Plot[] = [];
  window: [number, number];
  zoomsByDrag = false;
  private readonly tabs = el("nav", { class: "tabs", role: "tablist" });
  private readonly body = el("div", { class: "plot-body" });
  private readonly zoomListeners: (() => void)[] = [];
  private readonly cache = new Map<Channel, Float64Array>();
  readonly times: Float64Array[];

  constructor(
    readonly runs: Run[],
    readonly numbers: Numbers,
    readonly player: Player,
    extra: { key: string; title: string; make: () => HTMLElement }[],
  ) {
    this.times = runs.map((run) => numbers.exact(run.times.at, run.times.count));
    this.window = [player.start, player.end];
    const groups = plan(runs[0].channels);
    const pages = [
      ...groups.map((group) => ({ ...group, make: () => this.page(group) })),
      ...extra,
    ];
    for (const page of pages) {
      const open = () => this.open(page.key, page.make);
      this.tabs.append(el("button", { role: "tab", "data-key": page.key, click: open }, page.title));
    }
    this.element.append(this.tabs, this.body);
    if (pages.length > 0) this.open(pages[0].key, pages[0].make);
    onTheme(() => this.shown.forEach((plot) => plot.rebuild()));
    player.onTime((t) => this.shown.forEach((plot) => plot.mark(t)));
  }

  /** The numbers of a channel. */
  values(channel: Channel, run = 0): Float64Array {
    let found = this.cache.get(channel);
    if (!found) {
      found = this.numbers.rough(channel.data, this.runs[run].times.count);
      this.cache.set(channel, found);
    }
    return found;
  }

  /** Opens a group by its key. */
  choose(key: string): void {
    this.tabs.querySelector<HTMLButtonElement>(`[data-key="${CSS.escape(key)}"]`)?.click();
  }

  onZoom(listener: () => void): void {
    this.zoomListeners.push(listener);
  }

  /** Shows a span of time in all plots. */
  zoom(from: number, to: number): void {
    const { start, end } = this.player;
    this.window = to - from > 1e-9 * (end - start) ? [Math.max(from, start), Math.min(to, end)] : [start, end];
    for (const plot of this.shown) plot.fit();
    for (const listener of this.zoomListeners) listener();
  }

  private open(key: string, make: () => HTMLElement): void {
    for (const tab of this.tabs.querySelectorAll("button")) {
      tab.setAttribute("aria-selected", String(tab.dataset.key === key));
    }
    for (const plot of this.shown.splice(0)) plot.destroy();
    this.body.replaceChildren(make());
  }

  private page(group: GroupPlan): HTMLElement {
    const page = el("div", { class: "plot-list" });
    for (const one of group.plots) {
      const plot = new Plot(this, one);
      this.shown.push(plot);
      page.append(plot.element);
    }
    // drawn once they are on the page and have a width
    queueMicrotask(() => this.shown.forEach((plot) => plot.rebuild()));
    return page;
  }
}

/** One plot with its head, legend and exports. */
export class Plot {
  readonly element: HTMLElement;
  chart: uPlot | null = null;
  readonly lines: Curve[];
  private readonly holder = el("div", { class: "chart" });
  private readonly marker = el("div", { class: "marker" });
  private readonly legend: { value: HTMLElement; chip: HTMLElement; lines: number[] }[] = [];
  private readonly hidden = new Set<number>();
  private hover: number | null = null;
  private readonly resized: ResizeObserver;

  constructor(private readonly plots: Plots, private readonly about: PlotPlan) {
    this.lines = about.channels.flatMap((channel, k) =>
      plots.runs.flatMap((run, r) => {
        const same = r === 0 ? channel : run.channels.find((one) => one.name === channel.name);
        if (!same) return [];
        const name = r === 0 ? channel.name : `${channel.name} (${run.name})`;
        const values = plots.values(same, r);
        const step = same.data[2] === null ? 0 : same.data[1];
        return [{ name, unit: same.unit, run: r, colour: k, step, times: plots.times[r], values }];
      }),
    );
    const unit = about.unit && about.unit !== "1" ? about.unit : "";
    const save = (kind: "svg" | "csv") => () => this.save(kind);
    const head = el(
      "header",
      {},
      el("h3", {}, about.title, unit ? el("span", { class: "unit" }, unit) : null),
      el("button", { class: "quiet", title: "Save as SVG", click: save("svg") }, "SVG"),
      el("button", { class: "quiet", title: "Save the plotted values; the results have all digits", click: save("csv") }, "CSV"),
    );
    const legend = el("div", { class: "legend" });
    about.channels.forEach((channel, k) => {
      const value = el("output", {});
      const chip = el("button", { class: "chip", title: "Show or hide", click: () => this.flip(k) }, el("i", {}), channel.name, value);
      legend.append(chip);
      const lines = this.lines.flatMap((line, at) => (line.colour === k ? [at] : []));
      this.legend.push({ value, chip, lines });
    });
    this.element = el("article", { class: "plot" }, head, this.holder, legend);
    this.resized = new ResizeObserver(() => {
      const width = this.holder.clientWidth;
      if (this.chart && width > 0 && width !== this.chart.width) {
        this.chart.setSize({ width, height: this.chart.height });
        this.mark(this.plots.player.t);
      }
    });
    this.resized.observe(this.holder);
  }

  destroy(): void {
    this.resized.disconnect();
    this.chart?.destroy();
    this.chart = null;
  }

  /** Draws anew, with the colours of the theme. */
  rebuild(): void {
    this.chart?.destroy();
    const width = this.holder.clientWidth || 600;
    const axis = {
      stroke: colour("muted"),
      grid: { stroke: colour("rule"), width: 1 },
      ticks: { stroke: colour("rule"), width: 1, size: 4 },
      font: "11px system-ui, sans-serif",
      labelFont: "11px system-ui, sans-serif",
    };
    const tables = this.lines.map((line) => [line.times, gaps(line.values)] as unknown as uPlot.AlignedData);
    const same = this.lines.every((line) => line.times === this.lines[0].times);
    const data = same
      ? ([this.lines[0].times, ...tables.map((one) => one[1])] as unknown as uPlot.AlignedData)
      : uPlot.join(tables);
    const { player } = this.plots;
    const unit = this.about.unit && this.about.unit !== "1" ? this.about.unit : "";
    this.chart = new uPlot(
      {
        width,
        height: 190,
        legend: { show: false },
        padding: [10, 12, 0, 0],
        scales: {
          x: { time: false, range: () => this.span() },
          y: { range: (_, low, high) => room(low, high) },
        },
        axes: [
          { ...axis, size: 34, values: (_, ticks) => ticks.map((t) => `${figure(t, 6)}`), label: "t [s]", labelSize: 14, labelGap: -2 },
          { ...axis, size: 62, values: (_, ticks) => ticks.map((y) => figure(y, 5)), label: unit ? `[${unit}]` : undefined, labelSize: unit ? 16 : 0 },
        ],
        series: [
          {},
          ...this.lines.map((line) => ({
            label: line.name,
            stroke: lineColour(line.colour),
            width: line.run > 0 ? 1 : 1.5,
            dash: line.run > 0 ? dashes(line.run) : undefined,
            // times of other runs leave nothing between the rows, which is no gap
            spanGaps: false,
            points: { show: line.times.length < 3 },
            show: !this.hidden.has(line.colour),
          })),
        ],
        cursor: {
          sync: { key: "time", setSeries: false },
          drag: { x: true, y: false, setScale: false },
          points: { size: 6 },
          bind: {
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
              return null;
            },
          },
        },
        hooks: {
          setSelect: [
            (chart) => {
              const { left, width: wide } = chart.select;
              chart.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
              if (wide > 3) this.plots.zoom(chart.posToVal(left, "x"), chart.posToVal(left + wide, "x"));
            },
          ],
          setCursor: [
            (chart) => {
              const { left } = chart.cursor;
              this.hover = left !== undefined && left >= 0 ? chart.posToVal(left, "x") : null;
              this.read(this.hover ?? player.t);
            },
          ],
          draw: [(chart) => this.drawEvents(chart)],
        },
      },
      data,
      this.holder,
    );
    this.chart.over.append(this.marker);
    this.legend.forEach(({ chip }, k) => {
      chip.style.setProperty("--line", lineColour(k));
      chip.classList.toggle("off", this.hidden.has(k));
    });
    this.mark(player.t);
  }

  /** Takes the span of time that all plots show. */
  fit(): void {
    this.chart?.setScale("x", { min: this.plots.window[0], max: this.plots.window[1] });
    this.mark(this.plots.player.t);
  }

  /** Shows the time of the player. */
  mark(t: number): void {
    if (!this.chart) return;
    const x = this.chart.valToPos(t, "x");
    this.marker.style.transform = `translateX(${x}px)`;
    this.marker.hidden = x < -1 || x > this.chart.over.clientWidth + 1;
    if (this.hover === null) this.read(t);
  }

  private span(): [number, number] {
    const [from, to] = this.plots.window;
    return to > from ? [from, to] : [from - 0.5, to + 0.5];
  }

  private read(t: number): void {
    for (const { value, lines } of this.legend) {
      const line = this.lines[lines[0]];
      value.textContent = figure(stepped(line.values[nearest(line.times, t)], line.step), 5);
    }
  }

  private flip(k: number): void {
    if (!this.hidden.delete(k)) this.hidden.add(k);
    this.rebuild();
  }

  private drawEvents(chart: uPlot): void {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.strokeStyle = colour("muted");
    ctx.setLineDash([2, 4]);
    for (const { time } of this.plots.runs[0].words.events) {
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
    const lines = this.lines.filter((line) => !this.hidden.has(line.colour));
    const { title, unit } = this.about;
    const name = fileName(`${this.plots.runs[0].name}-${title}`, kind);
    if (kind === "csv") download(name, "text/csv", csv(lines));
    else download(name, "image/svg+xml", svg(title, "t [s]", unit && unit !== "1" ? `[${unit}]` : "", lines, this.span()));
  }
}

/** Values that uPlot may draw: what is no number becomes a gap. */
function gaps(values: Float64Array): Float64Array | (number | null)[] {
  return values.some(Number.isNaN) ? Array.from(values, (x) => (Number.isNaN(x) ? null : x)) : values;
}

/** A range with a little room, also for what does not change. */
export function room(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  // the distance of the largest numbers is none
  [low, high] = [Math.max(low, -LARGEST), Math.min(high, LARGEST)];
  const gap = high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high)) ? 0.06 * (high - low) : Math.max(0.05 * Math.abs(low), 1e-12);
  return [low - gap, high + gap];
}
