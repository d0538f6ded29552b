// Axes of drawings: where values lie, and what stands beside them; and colours of numbers.

import { ticks } from "../export";
import { theme } from "../theme";
import { figure, readable } from "../units";
import type { Column } from "./data";

export interface Axis {
  column: Column;
  /** What stands beside it, with the unit. */
  title: string;
  /** Where a value lies, from 0 to 1; not a number where it has no place. */
  place: (value: number) => number;
  /** The value that lies there. */
  value: (place: number) => number;
  ticks: (about: number) => [value: number, text: string][];
}

/** The axis of a column over a range of its values; by logarithms where that is asked for and possible. */
export function axisOf(column: Column, isLogarithmic = column.isLogarithmic, room = 0): Axis {
  const [low, high] = column.range;
  if (column.words) return axisOfWords(column, column.words);
  const { unit, factor } = readable(column.unit, Math.max(Math.abs(low), Math.abs(high)));
  const title = named(column.label, unit);
  const text = (x: number) => figure(factor * x, 5);
  if (isLogarithmic && low > 0) {
    const [from, span] = [Math.log(low), Math.log(high / low) || 1];
    const [first, whole] = [from - room * span, span * (1 + 2 * room)];
    const place = (x: number) => (x > 0 ? (Math.log(x) - first) / whole : NaN);
    const value = (at: number) => Math.exp(first + at * whole);
    return { column, title, place, value, ticks: (about) => decades(value(0) * factor, value(1) * factor, about).map((x) => [x / factor, figure(x, 3)]) };
  }
  const span = high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high)) ? high - low : Math.abs(low) * 0.1 || 1;
  const middle = high - low >= span ? low : low - span / 2;
  const [first, whole] = [middle - room * span, span * (1 + 2 * room)];
  const value = (at: number) => first + at * whole;
  const round = (about: number) => ticks(factor * value(0), factor * value(1), about).map((x) => [x / factor, text(x / factor)] as [number, string]);
  return { column, title, place: (x) => (x - first) / whole, value, ticks: round };
}

function axisOfWords(column: Column, words: string[]): Axis {
  const place = (at: number) => (at + 0.5) / words.length;
  const value = (at: number) => at * words.length - 0.5;
  return { column, title: column.label, place, value, ticks: () => words.map((word, at) => [at, word]) };
}

/** A name with its unit. */
export function named(label: string, unit: string): string {
  return unit && unit !== "1" ? `${label} [${unit}]` : label;
}

/** Powers of ten, with 2 and 5 times them where there is room. */
function decades(low: number, high: number, about: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const steps = last - first > about ? [1] : [1, 2, 5];
  const every = Math.ceil((last - first) / about / (steps.length > 1 ? 3 : 1)) || 1;
  const all: number[] = [];
  for (let e = first; e <= last; e += every) for (const step of steps) all.push(Number((step * 10 ** e).toPrecision(1)));
  return all.filter((x) => x >= low * (1 - 1e-9) && x <= high * (1 + 1e-9));
}

/** A value as people read it, with its unit. */
export function told(column: Column, x: number): string {
  if (column.words) return column.words[x] ?? "–";
  const { unit, factor } = readable(column.unit, Math.max(...column.range.map(Math.abs)));
  const text = figure(factor * x, 5);
  return text === "–" || !unit || unit === "1" ? text : `${text} ${unit}`;
}

/** Viridis (Smith, van der Walt and Firing), without the ends that are lost on the ground. */
const STOPS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];
const RGB = STOPS.map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));

/** The colour of a share from 0 to 1. */
export function shade(share: number): string {
  const [from, to] = theme() === "dark" ? [2.2, 9] : [0.4, 8.2];
  const at = from + Math.min(Math.max(share, 0), 1) * (to - from);
  const k = Math.min(Math.floor(at), STOPS.length - 2);
  const parts = RGB[k].map((x, c) => Math.round(x + (at - k) * (RGB[k + 1][c] - x)));
  return `rgb(${parts.join(",")})`;
}

/** Gives a canvas the size of its holder on the page, and its pen in pixels of the page. */
export function penOf(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = devicePixelRatio || 1;
  [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = canvas.getContext("2d");
  pen?.scale(ratio, ratio);
  return pen;
}

/** A text that ends where there is no more room. */
export function fitted(pen: CanvasRenderingContext2D, text: string, room: number): string {
  if (pen.measureText(text).width <= room) return text;
  let end = text.length;
  while (end > 1 && pen.measureText(`${text.slice(0, end)}…`).width > room) end--;
  return `${text.slice(0, end)}…`;
}
