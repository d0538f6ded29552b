// Plots as files: a drawing for papers, and the numbers as text.

import { NEUTRAL } from "./curves";
import { figure, stepped } from "./units";

export interface Curve {
  name: string;
  unit: string;
  /** Which of the colours. */
  colour: number;
  /** The place of its channel in the plot. */
  key: number;
  /** The run it is of. */
  run: number;
  /** Its dashes; none where it is drawn through. */
  dash: number[];
  /** Whether numbers are held until the next. */
  isHeld: boolean;
  /** The step in which a number is known, by its place; 0 where all its digits are. */
  step: (k: number) => number;
  times: Float64Array;
  values: Float64Array;
}

/** Colours that hold on white paper. */
const PAPER = ["#0b6e99", "#d1581b", "#3c8a3f", "#8d5bb5", "#b08400", "#c43d6b", "#5b6570", "#1aa39a"];

const WIDTH = 640;
const HEIGHT = 300;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 14, 30, 46];

/** Numbers that differ by less, relative, are the same to a drawing. */
const SAME = 1e-12;

/** The largest number whose distance to its negative is a number too. */
const LARGEST = Number.MAX_VALUE / 2;

/** Numbers as text; lines with other times follow below the first ones. */
export function csv(lines: Curve[], over = "t [s]"): string {
  const word = (text: string) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const label = (line: Curve) => word(line.unit && line.unit !== "1" ? `${line.name} [${line.unit}]` : line.name);
  const tables = new Map<Float64Array, Curve[]>();
  for (const line of lines) tables.set(line.times, [...(tables.get(line.times) ?? []), line]);
  let text = "";
  for (const [times, columns] of tables) {
    text += `${over},${columns.map(label).join(",")}\n`;
    times.forEach((t, k) => {
      const row = columns.map(({ values, step }) => (Number.isNaN(values[k]) ? "" : Number(stepped(values[k], step(k)).toPrecision(7))));
      text += `${t},${row.join(",")}\n`;
    });
  }
  return text;
}

/** A drawing in SVG. */
export function svg(
  title: string,
  xLabel: string,
  yLabel: string,
  lines: Curve[],
  [from, to]: [number, number],
  marks: { x: number; text: string }[] = [],
): string {
  let [low, high] = [Infinity, -Infinity];
  for (const line of lines) {
    line.times.forEach((t, k) => {
      const y = line.values[k];
      if (t < from || t > to || !Number.isFinite(y)) return;
      low = Math.min(low, y);
      high = Math.max(high, y);
    });
  }
  if (!(high >= low)) [low, high] = [-1, 1];
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const room = high - low > SAME * largest ? 0.05 * (high - low) : largest * 0.05 || 1;
  [low, high] = [Math.max(low - room, -LARGEST), Math.min(high + room, LARGEST)];
  const [wide, tall] = [WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];
  const x = (t: number) => LEFT + (wide * (t - from)) / (to - from || 1);
  const y = (v: number) => TOP + tall - (tall * (v - low)) / (high - low);
  const rows = Math.ceil(lines.length / 4);
  const parts: string[] = [];
  for (const t of ticks(from, to, 8)) {
    parts.push(`<path class="g" d="M${n(x(t))} ${TOP}v${tall}"/><text x="${n(x(t))}" y="${TOP + tall + 15}" text-anchor="middle">${figure(t, 5)}</text>`);
  }
  for (const v of ticks(low, high, 5)) {
    parts.push(`<path class="g" d="M${LEFT} ${n(y(v))}h${wide}"/><text x="${LEFT - 6}" y="${n(y(v) + 3.5)}" text-anchor="end">${figure(v, 5)}</text>`);
  }
  for (const mark of marks.filter((one) => one.x >= from && one.x <= to)) {
    parts.push(`<path class="m" d="M${n(x(mark.x))} ${TOP}v${tall}"/><text x="${n(x(mark.x) + 3)}" y="${TOP + 10}">${escape(mark.text)}</text>`);
  }
  lines.forEach((line, k) => {
    const dash = line.dash.length > 0 ? ` stroke-dasharray="${line.dash.join(" ")}"` : "";
    const ink = line.colour === NEUTRAL ? "#222" : PAPER[line.colour % PAPER.length];
    parts.push(`<path class="l" stroke="${ink}"${dash} d="${path(line, from, to, x, y)}"/>`);
    const [lx, ly] = [LEFT + (k % 4) * (wide / 4), HEIGHT + 6 + 15 * Math.floor(k / 4)];
    parts.push(`<path class="l" stroke="${ink}"${dash} d="M${n(lx)} ${ly - 4}h16"/><text x="${n(lx + 21)}" y="${ly}">${escape(line.name)}</text>`);
  });
  const whole = HEIGHT + 15 * rows + 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${whole}" viewBox="0 0 ${WIDTH} ${whole}" font-family="Helvetica, Arial, sans-serif" font-size="11" fill="#222">
<style>.g{stroke:#ddd;fill:none}.m{stroke:#888;stroke-dasharray:2 3;fill:none}.l{fill:none;stroke-width:1.3;stroke-linejoin:round}</style>
<rect width="100%" height="100%" fill="#fff"/><text x="${LEFT}" y="18" font-size="13" font-weight="600">${escape(title)}</text>
${parts.join("\n")}
<path fill="none" stroke="#444" d="M${LEFT} ${TOP}v${tall}h${wide}"/>
<text x="${LEFT + wide / 2}" y="${HEIGHT - 14}" text-anchor="middle">${escape(xLabel)}</text>
<text transform="translate(13 ${TOP + tall / 2}) rotate(-90)" text-anchor="middle">${escape(yLabel)}</text>
</svg>
`;
}

/** A line; where many values share a column of the drawing, their least and greatest. */
function path(line: Curve, from: number, to: number, x: (t: number) => number, y: (v: number) => number): string {
  let text = "";
  let pen = false;
  let column = NaN;
  let kept: number[] = [];
  let before = NaN;
  const flush = () => {
    if (line.isHeld && pen && kept.length > 0) text += `L${n(column)} ${n(y(before))}`;
    if (kept.length > 3) kept = [kept[0], kept.reduce((a, b) => Math.min(a, b)), kept.reduce((a, b) => Math.max(a, b)), kept[kept.length - 1]];
    for (const v of kept) {
      text += `${pen ? "L" : "M"}${n(column)} ${n(y(v))}`;
      pen = true;
      before = v;
    }
    kept = [];
  };
  line.times.forEach((t, k) => {
    if (t < from || t > to) return;
    if (!Number.isFinite(line.values[k])) {
      flush();
      pen = false;
      return;
    }
    const at = Math.round(x(t) * 2) / 2;
    if (at !== column) flush();
    column = at;
    kept.push(line.values[k]);
  });
  flush();
  return text;
}

/** Round numbers of a range, about as many as asked for and never more than four times that. */
export function ticks(low: number, high: number, about: number): number[] {
  const rough = (high - low) / about;
  if (!(rough > SAME * Math.max(Math.abs(low), Math.abs(high)))) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) ?? power;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.min(Math.floor(high / step + 1e-9) - first + 1, 4 * about);
  return Array.from({ length: Math.max(count, 0) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

const n = (x: number) => String(Math.round(x * 100) / 100);

function escape(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
