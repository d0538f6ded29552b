// Numbers as text, in units that read well: degrees instead of radians, millimetres where metres
// would be small. A switch goes back to the units of the results.

import { pair } from "./dom";

/** Lengths below are in millimetres (m); stresses, forces, stiffnesses, energies and powers above have
 * a prefix. The command has the same (`figures.rs` of `pliant-cli`). */
const SHORT = 0.1;
const [LARGE, LARGER, HUGE] = [1e4, 1e7, 1e10];

/** What a number of a result is multiplied with to be in this unit. */
export interface Scale {
  unit: string;
  factor: number;
}

const listeners: (() => void)[] = [];
let isSi = false;

function setSi(wanted: boolean): void {
  isSi = wanted;
  for (const listener of listeners) listener();
}

/** Calls back whenever the units change. */
export function onUnits(listener: () => void): void {
  listeners.push(listener);
}

/** The switch between units that read well and those of the results. */
export function unitSwitch(): HTMLElement {
  const words: [string, string][] = [
    ["deg, mm", "Degrees, and millimetres where metres are small"],
    ["SI", "The units of the results"],
  ];
  return pair(words, isSi ? 1 : 0, (k) => setSi(k === 1));
}

/** The unit in which numbers up to so large are read best. */
export function readable(unit: string, largest: number): Scale {
  if (!isSi) {
    if (/^rad(\/|$)/.test(unit)) return { unit: unit.replace("rad", "deg"), factor: 180 / Math.PI };
    if (/^m(\/s(\^2)?)?$/.test(unit) && largest < SHORT) return { unit: `m${unit}`, factor: 1e3 };
    if (unit === "Pa" && largest >= HUGE) return { unit: "GPa", factor: 1e-9 };
    if (unit === "Pa" && largest >= LARGE) return { unit: "MPa", factor: 1e-6 };
    const isForceful = /^([NJW]$|N[ /])/.test(unit);
    if (isForceful && largest >= LARGER) return { unit: `M${unit}`, factor: 1e-6 };
    if (isForceful && largest >= LARGE) return { unit: `k${unit}`, factor: 1e-3 };
  }
  return { unit, factor: 1 };
}

/** The largest size among numbers. */
export function largest(values: Iterable<number | null | undefined>): number {
  let most = 0;
  for (const x of values) if (Number.isFinite(x)) most = Math.max(most, Math.abs(x as number));
  return most;
}

/** A number with its unit, as it is read best. */
export function quantity(x: number | null | undefined, unit: string, digits = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  const scale = readable(unit, Math.abs(x));
  const named = scale.unit && scale.unit !== "1" ? ` ${scale.unit}` : "";
  return `${figure(scale.factor * x, digits)}${named}`;
}

/** A number that is known in steps: no digit stands for less than a step. */
export function stepped(x: number, step: number): number {
  if (!(step > 0) || !Number.isFinite(x)) return x;
  const places = -Math.floor(Math.log10(step));
  // beyond what digits can be asked for, or coarser than ones
  if (places > 100) return x;
  return Number(places >= 0 ? x.toFixed(places) : (x / 10 ** -places).toFixed(0) + `e${-places}`) + 0;
}

/** Six significant digits. */
export function figure(x: number | null | undefined, digits = 6): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e7) return x.toExponential(Math.min(digits - 1, 4));
  return String(Number(x.toPrecision(digits)));
}
