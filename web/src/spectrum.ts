// The spectrum of a channel over the time that is shown, with the arm's natural frequencies.

import uPlot from "uplot";
import { figure, type Channel, type Run } from "./data";
import { download, el, fileName } from "./dom";
import { csv, svg, type Curve } from "./export";
import type { Plots } from "./plots";
import { colour, lineColour, onTheme } from "./theme";

/** Samples of a transform, at most. */
const MOST = 1 << 15;

/** Amplitudes over frequencies (Hz): Hann's window, the mean removed. Empty where there is too little. */
export function spectrum(times: Float64Array, values: Float64Array, from: number, to: number): [Float64Array, Float64Array] {
  const inside: number[] = [];
  times.forEach((t, k) => {
    if (t >= from && t <= to && Number.isFinite(values[k])) inside.push(k);
  });
  const nothing: [Float64Array, Float64Array] = [new Float64Array(), new Float64Array()];
  if (inside.length < 16) return nothing;
  const [start, end] = [times[inside[0]], times[inside[inside.length - 1]]];
  let n = 16;
  while (2 * n <= inside.length && 2 * n <= MOST) n *= 2;
  if (n < inside.length && n < MOST) n *= 2;
  const step = (end - start) / (n - 1);
  if (!(step > 0)) return nothing;
  const even = new Float64Array(n);
  let at = 0;
  for (let k = 0; k < n; k++) {
    const t = Math.min(start + k * step, end);
    while (at + 2 < inside.length && times[inside[at + 1]] <= t) at++;
    const [a, b] = [inside[at], inside[at + 1]];
    const span = times[b] - times[a];
    even[k] = span > 0 ? values[a] + ((values[b] - values[a]) * (t - times[a])) / span : values[a];
  }
  const mean = even.reduce((sum, x) => sum + x, 0) / n;
  let weight = 0;
  for (let k = 0; k < n; k++) {
    const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * k) / n);
    weight += hann;
    even[k] = (even[k] - mean) * hann;
  }
  const imaginary = new Float64Array(n);
  transform(even, imaginary);
  // the rows say up to where a spectrum can be believed
  const highest = Math.min(n / 2, Math.floor(((inside.length - 1) * n) / (2 * (n - 1))));
  const hertz = new Float64Array(highest);
  const size = new Float64Array(highest);
  for (let k = 1; k <= highest; k++) {
    hertz[k - 1] = k / (n * step);
    size[k - 1] = (2 * Math.hypot(even[k], imaginary[k])) / weight;
  }
  return [hertz, size];
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

/** The page of the spectrum. */
export function spectrumPage(plots: Plots): HTMLElement {
  const run = plots.runs[0];
  if (run.thinned) {
    return el("p", { class: "note" }, "The run has more rows than this page holds, and a spectrum of thinned rows would be wrong. All rows are in result.parquet.");
  }
  const first = run.channels.find((one) => one.group === "bending") ?? run.channels[0];
  if (!first) return el("p", { class: "note" }, "No channel was recorded.");
  const choice = el(
    "select",
    { id: "spectrum-channel", change: () => draw() },
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
  let curve: Curve | null = null;

  const marks = () => kinds.flatMap(([key, , list]) => (shown.has(key) ? list.map((hertz, k) => ({ key, hertz, k })) : []));
  const draw = () => {
    if (!holder.isConnected) return;
    const channel = run.channels.find((one) => one.name === choice.value) as Channel;
    const [from, to] = plots.window;
    const [hertz, size] = spectrum(plots.times[0], plots.values(channel), from, to);
    chart?.destroy();
    chart = null;
    curve = { name: channel.name, colour: 0, dashed: false, times: hertz, values: size };
    const largest = size.reduce((a, b) => Math.max(a, b), 0);
    note.textContent = told(run, hertz, largest, why);
    if (largest === 0) return;
    const axis = {
      stroke: colour("muted"),
      grid: { stroke: colour("rule"), width: 1 },
      ticks: { stroke: colour("rule"), width: 1, size: 4 },
      font: "11px system-ui, sans-serif",
      labelFont: "11px system-ui, sans-serif",
    };
    const floor = largest * 1e-7;
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
        series: [{}, { stroke: lineColour(0), width: 1.4, points: { show: false } }],
        cursor: { drag: { x: true, y: false } },
        hooks: { draw: [(u) => drawMarks(u, marks())] },
      },
      [hertz, size.map((x) => Math.max(x, floor))] as unknown as uPlot.AlignedData,
      holder,
    );
  };
  const save = (kind: "svg" | "csv") => () => {
    if (!curve) return;
    const name = fileName(`${run.name}-spectrum-${curve.name}`, kind);
    if (kind === "csv") {
      download(name, "text/csv", csv([curve], "").replace("t [s]", "frequency [Hz]"));
      return;
    }
    const log = { ...curve, values: curve.values.map((x) => Math.log10(Math.max(x, 1e-300))) };
    const range: [number, number] = [0, curve.times[curve.times.length - 1] ?? 1];
    const labels = marks().map((mark) => ({ x: mark.hertz, text: String(mark.k + 1) }));
    download(name, "image/svg+xml", svg(`Spectrum of ${curve.name}`, "frequency [Hz]", "log10 of the amplitude", [log], range, labels));
  };
  plots.onZoom(draw);
  onTheme(draw);
  queueMicrotask(draw);
  const bar = el("div", { class: "bar" }, choice, ...boxes, el("span", { class: "gap" }), el("button", { class: "quiet", click: save("svg") }, "SVG"), el("button", { class: "quiet", click: save("csv") }, "CSV"));
  return el("article", { class: "plot spectrum" }, bar, holder, note);
}

/** Whether a number is a power of ten. */
function isPower(y: number): boolean {
  const power = Math.log10(y);
  return Math.abs(power - Math.round(power)) < 1e-9;
}

function told(run: Run, hertz: Float64Array, largest: number, why?: string): string {
  if (hertz.length === 0) return "Too few rows for a spectrum: it takes sixteen.";
  if (largest === 0) return "The channel does not change.";
  const marks = why
    ? `Natural frequencies are not marked: ${why}.`
    : "Marked are the natural frequencies of the arm in its first posture, numbered from the slowest.";
  return `Hann's window over the time shown, the mean removed; ${run.rows} rows. ${marks}`;
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
