// The spectrum of a channel over the time that is shown, with the arm's natural frequencies.

import uPlot from "uplot";
import { usualDistance, type Channel } from "./data";
import { download, el, fileName } from "./dom";
import { csv, svg, type Curve } from "./export";
import { groupOf } from "./groups";
import { axisStyle, inkOf } from "./plot";
import type { Plots } from "./plots";
import { colourPlace } from "./runs";
import { colour, onTheme } from "./theme";
import { figure } from "./units";

/** Rows of one transform, at most; what is longer is averaged over segments (Welch). */
const MOST = 1 << 16;

/** How much finer lines stand than the rows can tell apart, at least: a peak between two loses 1 %. */
const FINER = 4;

/** The least amplitude that is drawn, as a part of the largest. */
const LOWEST = 1e-7;

/** A distance of rows that differs by more, relative, is another. */
const EVEN = 0.01;

export interface Spectrum {
  hertz: Float64Array;
  size: Float64Array;
  /** Rows a second. */
  rate: number;
  /** Rows of one transform. */
  rows: number;
  /** Whether the rows stand unevenly and were interpolated. */
  resampled: boolean;
}

/**
 * Amplitudes over frequencies: Hann's window on the rows, the mean removed. Empty where there are
 * too few rows.
 */
export function spectrum(times: Float64Array, values: Float64Array, from: number, to: number): Spectrum {
  const { even, step, resampled } = evenRows(times, values, from, to);
  const rows = Math.min(even.length, MOST);
  const nothing = { hertz: new Float64Array(), size: new Float64Array(), rate: step > 0 ? 1 / step : 0, rows, resampled };
  if (rows < 16 || !(step > 0)) return nothing;
  let n = 16;
  while (n < FINER * rows) n *= 2;
  const hann = Float64Array.from({ length: rows }, (_, k) => 0.5 - 0.5 * Math.cos((2 * Math.PI * k) / rows));
  const weight = hann.reduce((sum, x) => sum + x, 0);
  const power = new Float64Array(n / 2 - 1);
  // segments that overlap by half, from the first row to the last
  const segments = 1 + Math.ceil((even.length - rows) / (rows / 2));
  for (let s = 0; s < segments; s++) {
    const begin = segments > 1 ? Math.round((s * (even.length - rows)) / (segments - 1)) : 0;
    // as the window weighs it, so that nothing is left at zero
    const mean = hann.reduce((sum, x, k) => sum + x * even[begin + k], 0) / weight;
    const [re, im] = [new Float64Array(n), new Float64Array(n)];
    for (let k = 0; k < rows; k++) re[k] = (even[begin + k] - mean) * hann[k];
    transform(re, im);
    for (let k = 0; k < power.length; k++) power[k] += ((2 * Math.hypot(re[k + 1], im[k + 1])) / weight) ** 2;
  }
  return {
    hertz: power.map((_, k) => (k + 1) / (n * step)),
    size: power.map((sum) => Math.sqrt(sum / segments)),
    rate: 1 / step,
    rows,
    resampled,
  };
}

/** The rows of a span of time at one distance: as they are, or interpolated where they stand unevenly. */
function evenRows(times: Float64Array, values: Float64Array, from: number, to: number): { even: Float64Array; step: number; resampled: boolean } {
  const rows: number[] = [];
  times.forEach((t, k) => {
    if (t >= from && t <= to && Number.isFinite(values[k])) rows.push(k);
  });
  const apart = usualDistance(rows.map((k) => times[k]));
  const isEven = (k: number) => Math.abs(times[rows[k]] - times[rows[k - 1]] - apart) <= EVEN * apart;
  // a run may end between two rows
  if (rows.length > 2 && !isEven(rows.length - 1)) rows.pop();
  const last = rows.length - 1;
  if (rows.every((_, k) => k === 0 || isEven(k))) {
    const step = last > 0 ? (times[rows[last]] - times[rows[0]]) / last : 0;
    return { even: Float64Array.from(rows, (k) => values[k]), step, resampled: false };
  }
  const start = times[rows[0]];
  // no more than the transforms could ever hold
  const step = Math.max(apart, (times[rows[last]] - start) / (64 * MOST));
  const even = new Float64Array(Math.floor((times[rows[last]] - start) / step) + 1);
  for (let k = 0, at = 0; k < even.length; k++) {
    const t = start + k * step;
    while (at + 2 < rows.length && times[rows[at + 1]] <= t) at++;
    const [a, b] = [rows[at], rows[at + 1]];
    const span = times[b] - times[a];
    even[k] = span > 0 ? values[a] + ((values[b] - values[a]) * (t - times[a])) / span : values[a];
  }
  return { even, step, resampled: true };
}

/** Fourier's transform in place, for a power of two. */
export function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
  }
  for (let size = 2; size <= n; size *= 2) {
    for (let k = 0; k < size / 2; k++) {
      const angle = (-2 * Math.PI * k) / size;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let a = k; a < n; a += size) {
        const b = a + size / 2;
        const [x, y] = [re[b] * c - im[b] * s, re[b] * s + im[b] * c];
        [re[b], im[b]] = [re[a] - x, im[a] - y];
        [re[a], im[a]] = [re[a] + x, im[a] + y];
      }
    }
  }
}

/** The page of the spectrum; it is drawn whenever it is opened. */
export interface SpectrumPage {
  element: HTMLElement;
  draw: () => void;
}

export function spectrumPage(plots: Plots): SpectrumPage {
  const only = (text: string) => ({ element: el("p", { class: "note" }, text), draw: () => undefined });
  const { runs, first: run } = plots;
  if (runs.all.some((one) => one.thinned)) {
    return only("The run has more rows than this page contains, and the spectrum of a subset would be wrong. All rows are in result.parquet.");
  }
  const first = run.channels.find((one) => groupOf(one) === "bending" && one.data[2] !== null) ?? run.channels[0];
  if (!first) return only("No channel was recorded.");
  const choice = el(
    "select",
    { id: "spectrum-channel", "aria-label": "channel of the spectrum", change: () => draw() },
    ...run.channels.map((one) => el("option", { value: one.name, selected: one === first }, one.name)),
  );
  const { locked, free, why } = run.frequencies;
  const kinds = [
    ["locked", "joints locked", locked ?? []],
    ["free", "joints free", free ?? []],
  ] as const;
  const shown = new Set<string>(free?.length ? ["free"] : ["locked"]);
  const boxes = kinds
    .filter(([, , list]) => list.length > 0)
    .map(([key, label]) => {
      const flip = () => {
        if (!shown.delete(key)) shown.add(key);
        draw();
      };
      return el("label", {}, el("input", { type: "checkbox", checked: shown.has(key), change: flip }), label);
    });
  const note = el("p", { class: "note" });
  const holder = el("div", { class: "chart" });
  let chart: uPlot | null = null;
  let curves: Curve[] = [];

  const marks = () => kinds.flatMap(([key, , list]) => (shown.has(key) ? list.map((hertz, k) => ({ key, hertz, k })) : []));
  const draw = () => {
    if (!holder.isConnected) return;
    const channel = run.channels.find((one) => one.name === choice.value) as Channel;
    const [from, to] = plots.window;
    const all = runs.all.flatMap((_, r) => {
      const own = runs.find(r, channel.name);
      return own && runs.shows(r) ? [{ run: r, found: spectrum(runs.times[r], runs.values(own, r), from, to) }] : [];
    });
    chart?.destroy();
    chart = null;
    curves = all.map(({ run: r, found: { hertz, size } }) => {
      const name = runs.compares ? `${channel.name} (${runs.all[r].name})` : channel.name;
      return { name, unit: channel.unit, colour: colourPlace(r), key: 0, run: r, dash: [], isHeld: false, step: () => 0, times: hertz, values: size };
    });
    const largest = curves.reduce((most, { values }) => values.reduce((a, b) => Math.max(a, b), most), 0);
    if (all.length === 0) {
      note.textContent = "No run that is shown has this channel.";
      return;
    }
    note.textContent = told(all[0].found, channel, largest, marks().map((mark) => mark.hertz), why);
    if (largest === 0) return;
    const axis = axisStyle();
    const floor = largest * LOWEST;
    chart = new uPlot(
      {
        width: holder.clientWidth || 600,
        height: 330,
        legend: { show: false },
        padding: [16, 12, 0, 0],
        scales: { x: { time: false }, y: { distr: 3, range: [floor, largest * 3] } },
        axes: [
          { ...axis, size: 34, label: "frequency [Hz]", labelSize: 14, labelGap: -2, values: (_, ticks) => ticks.map((x) => figure(x, 5)) },
          { ...axis, size: 62, label: `amplitude [${channel.unit || "1"}]`, labelSize: 16, filter: (_, ticks) => ticks.map((y) => (isPower(y) ? y : null)) as number[], values: (_, ticks) => ticks.map((y) => (y === null ? "" : y.toExponential(0))) },
        ],
        series: [{}, ...curves.map((curve) => ({ stroke: inkOf(curve), width: 1.4, pxAlign: 0, points: { show: false } }))],
        cursor: { drag: { x: true, y: false } },
        hooks: { draw: [(u) => drawMarks(u, marks())] },
      },
      uPlot.join(curves.map(({ times, values }) => [times, values.map((x) => Math.max(x, floor))] as unknown as uPlot.AlignedData)),
      holder,
    );
  };
  const save = (kind: "svg" | "csv") => () => {
    if (curves.length === 0) return;
    const name = fileName(`${run.name}-spectrum-${choice.value}`, kind);
    if (kind === "csv") {
      download(name, "text/csv", csv(curves, "frequency [Hz]"));
      return;
    }
    const logs = curves.map((curve) => ({ ...curve, values: curve.values.map((x) => Math.log10(Math.max(x, 1e-300))) }));
    const range: [number, number] = [0, Math.max(...curves.map(({ times }) => times[times.length - 1] ?? 1))];
    const labels = marks().map((mark) => ({ x: mark.hertz, text: String(mark.k + 1) }));
    download(name, "image/svg+xml", svg(`Spectrum of ${choice.value}`, "frequency [Hz]", "log10 of the amplitude", logs, range, labels));
  };
  plots.onZoom(draw);
  onTheme(draw);
  runs.onChange(draw);
  const bar = el("div", { class: "bar" }, choice, ...boxes, el("span", { class: "gap" }), el("button", { class: "quiet", click: save("svg") }, "SVG"), el("button", { class: "quiet", click: save("csv") }, "CSV"));
  return { element: el("article", { class: "plot spectrum" }, bar, holder, note), draw };
}

/** Whether a number is a power of ten. */
function isPower(y: number): boolean {
  const power = Math.log10(y);
  return Math.abs(power - Math.round(power)) < 1e-9;
}

function told({ hertz, rate, rows, resampled }: Spectrum, channel: Channel, largest: number, marked: number[], why?: string): string {
  if (hertz.length === 0) return "Too few rows for a spectrum: it needs sixteen.";
  if (largest === 0) return "The channel does not change.";
  const parts = [`Hann window over the time range shown, mean removed; ${figure(rate, 4)} rows per second.`];
  if (resampled) parts.push("The rows are unevenly spaced and were interpolated, which attenuates high frequencies.");
  // rounding to steps is noise of a twelfth of their square, here as lines under Hann's window
  const noise = channel.data[2] === null ? 0 : 3 * channel.data[1] * Math.sqrt(0.5 / rows);
  if (noise > LOWEST * largest) {
    parts.push(`Values below ${noise.toExponential(0)} ${channel.unit} are rounding errors of this page, not of the run.`);
  }
  parts.push(
    why
      ? `Natural frequencies are not marked: ${why}.`
      : "Marks are the natural frequencies of the arm in its initial configuration, numbered from the lowest.",
  );
  const above = marked.filter((one) => one > rate / 2).sort((a, b) => a - b);
  if (above.length > 0) {
    const many = above.length === 1 ? `One of them, ${figure(above[0], 4)} Hz, lies` : `${above.length} of them, from ${figure(above[0], 4)} Hz on, lie`;
    parts.push(`${many} above ${figure(rate / 2, 4)} Hz, the Nyquist frequency of the rows: such vibrations are aliased to lower frequencies here.`);
  }
  return parts.join(" ");
}

function drawMarks(chart: uPlot, marks: { key: string; hertz: number; k: number }[]): void {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio || 1;
  ctx.save();
  ctx.font = `${10 * ratio}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.lineWidth = ratio;
  let last = -Infinity;
  for (const { key, hertz, k } of marks.sort((a, b) => a.hertz - b.hertz)) {
    const x = chart.valToPos(hertz, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = ctx.fillStyle = colour(key === "locked" ? "mark-locked" : "mark-free");
    ctx.setLineDash([3 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (x - last > 12 * ratio) {
      ctx.fillText(String(k + 1), x, bbox.top - 4 * ratio);
      last = x;
    }
  }
  ctx.restore();
}
