// Plots of all channels, in groups, that share the time of the player and their zoom.

import "uplot/dist/uPlot.min.css";
import type { Channel, Run } from "./data";
import { el, pair } from "./dom";
import { plan, type GroupPlan, type PlotPlan } from "./groups";
import { Plot } from "./plot";
import type { Player } from "./player";
import type { Runs } from "./runs";
import { onTheme } from "./theme";
import { onUnits, unitSwitch } from "./units";

/** Plots that are drawn at once; the others when they come into sight. */
const AT_ONCE = 4;

/** A page of its own among the groups; it is made when it is opened. */
export interface ExtraTab {
  key: string;
  title: string;
  make: (plots: Plots) => HTMLElement;
}

/** All plots of a page. */
export class Plots {
  readonly element = el("section", { class: "plots" });
  /** The plots that exist. */
  readonly shown: Plot[] = [];
  window: [number, number];
  zoomsByDrag = false;
  /** When the page was scrolled last (ms). */
  scrolledAt = -Infinity;
  readonly groups: GroupPlan[];
  private readonly tabs = el("nav", { class: "tabs", role: "tablist" });
  private readonly body = el("div", { class: "plot-body" });
  private readonly zoomListeners: (() => void)[] = [];
  /** Draws plots when they come near to what is seen. */
  private readonly near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        this.near.unobserve(target);
        this.shown.find((plot) => plot.element === target)?.rebuild();
      }
    },
    { rootMargin: "600px 0px" },
  );

  constructor(
    readonly runs: Runs,
    readonly player: Player,
    extra: ExtraTab[],
  ) {
    this.window = [player.start, player.end];
    this.groups = plan(runs.channels, runs.compares);
    const own = this.groups.map((group) => ({ ...group, make: () => this.list(group.plots) }));
    for (const { key, title, make } of [...own, ...extra]) {
      const open = () => this.open(key, make);
      this.tabs.append(el("button", { role: "tab", "data-key": key, click: open }, title));
    }
    this.element.append(this.tabs, this.toolbar(), this.body);
    // of runs that are compared the errors differ most
    const first = (runs.compares && own.find(({ key }) => key === "error")) || own[0];
    this.choose((first ?? extra[0]).key);
    const redraw = () => this.shown.forEach((plot) => (plot.chart ? plot.rebuild() : plot.measure()));
    onTheme(redraw);
    onUnits(redraw);
    runs.onChange(redraw);
    player.onTime((t) => this.shown.forEach((plot) => plot.mark(t)));
    addEventListener("scroll", () => (this.scrolledAt = performance.now()), { passive: true });
  }

  /** The numbers of a channel. */
  values(channel: Channel, run = 0): Float64Array {
    return this.runs.values(channel, run);
  }

  /** The run that others are compared with. */
  get first(): Run {
    return this.runs.all[0];
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

  /** Plots one below the other, instead of those that were shown. */
  list(plans: PlotPlan[]): HTMLElement {
    this.clear();
    const page = el("div", { class: "plot-list" });
    for (const one of plans) {
      const plot = new Plot(this, one);
      this.shown.push(plot);
      page.append(plot.element);
      if (this.shown.length > AT_ONCE) this.near.observe(plot.element);
    }
    // drawn once they are on the page and have a width
    queueMicrotask(() => this.shown.slice(0, AT_ONCE).forEach((plot) => plot.chart ?? plot.rebuild()));
    return page;
  }

  private clear(): void {
    this.near.disconnect();
    for (const plot of this.shown.splice(0)) plot.destroy();
  }

  private open(key: string, make: (plots: Plots) => HTMLElement): void {
    for (const tab of this.tabs.querySelectorAll("button")) {
      const isOpen = tab.dataset.key === key;
      tab.setAttribute("aria-selected", String(isOpen));
      if (isOpen && this.tabs.scrollWidth > this.tabs.clientWidth) this.tabs.scrollLeft = tab.offsetLeft - 60;
    }
    this.clear();
    this.body.replaceChildren(make(this));
  }

  /** What dragging does, all of the time, and the units. */
  private toolbar(): HTMLElement {
    const drags: [string, string][] = [
      ["time", "Drag to move in time; shift-drag to zoom"],
      ["zoom", "Drag to select a range of times, of values, or of both"],
    ];
    const all = () => {
      this.zoom(this.player.start, this.player.end);
      for (const plot of this.shown) plot.unzoom();
    };
    return el(
      "div",
      { class: "drag" },
      "drag",
      pair(drags, 0, (k) => (this.zoomsByDrag = k === 1)),
      el("button", { class: "quiet", id: "all", title: "Show all times and values (double click). The wheel zooms in time; over the numbers at the left, or with shift, it zooms the values", click: all }, "all"),
      el("span", { class: "gap" }),
      "units",
      unitSwitch(),
    );
  }
}
