// What pliant has put into the page, and how its numbers are decoded.

/** A row of numbers: offset, scale, and where its words begin; without words all are the offset. */
export type Packed = [offset: number, scale: number, at: number | null];
export type Triple = [number, number, number];

export interface Channel {
  name: string;
  unit: string;
  /** What it is: "position", "frame-velocity", "sensor", … */
  role: string;
  /** The link, frame, sensor, controller or reference it belongs to. */
  subject?: string;
  /** Of a coordinate's channel: "joint", "motor", "length", "hinge", "bending-y", … */
  coordinate?: string;
  data: Packed;
}

export interface Motion {
  count: number;
  times: number;
  joints: Packed[][];
  bends: Packed[][][];
}

export interface Anchor {
  link: number;
  point: number | null;
  place: Triple;
}

export interface Link {
  name: string;
  parent: number | null;
  on: number | null;
  joint: { kind: string; origin: Triple; axes: Triple[]; inboard: Triple };
  points: {
    place: Triple;
    turn: [number, number, number, number];
    size: [number, number] | null;
    round: boolean;
  }[];
  bones: { point: number | null; from: Triple; via: Triple | null; to: Triple }[];
  loads: { point: number | null; place: Triple; mass: number }[];
  boxes: { place: Triple; size: Triple }[];
  /** Of a beam that slides out of a hub its whole length, and the least of it that is outside (m). */
  slide: { length: number; least: number } | null;
}

export interface Arm {
  name: string;
  gravity: Triple;
  links: Link[];
  tip: Anchor | null;
}

export interface ArmTable {
  name: string;
  mass: number;
  freedoms: number;
  links: {
    name: string;
    parent: string;
    joint: string;
    prescribed: boolean;
    length: number | null;
    mass: number;
    section: string | null;
    joints: string[];
    bending: string[];
  }[];
}

/** Errors: the largest, their root mean square, the last. */
interface Errors {
  most: number;
  rms: number;
  last: number;
}

export interface Tracking {
  interval: number;
  joints: (Errors & { name: string; unit: string; most_rate: number; settled_after: number | null; overshoot?: number | null })[];
  tip: (Errors & { frame: string; band?: number; settling_time?: number | null; overshoot?: number | null }) | null;
  motors: {
    name: string;
    unit: string;
    peak: number;
    rms: number;
    work: number;
    peak_power?: number;
    energy?: number;
    saturated: number;
  }[];
  error_integral: number | null;
  half_error_integral: number | null;
  effort_integral: number;
  half_effort_integral: number;
  ideal_effort_integral: number;
  half_ideal_effort_integral: number;
}

/** A number by which runs are compared; none where it cannot be known. */
export interface Figure {
  name: string;
  label: string;
  /** The frame, joint, motor or link it belongs to. */
  subject: string;
  unit: string;
  value: number | null;
  lowerIsBetter: boolean;
}

/** A largest or smallest value of a link: when it was, and where along the link, if not at its tip. */
export interface Peak {
  value: number;
  time: number;
  place?: number;
}

export interface LinkPeaks extends Partial<Record<"deflection" | "slope" | "moment" | "shear" | "torsion" | "stress" | "margin", Peak | null>> {
  link: string;
}

export interface Words {
  ending: { word: string; good: boolean; text: string | null };
  arm: ArmTable | null;
  facts: [string, string][];
  extremes: { channel: string; least: [number, number]; most: [number, number] }[];
  events: { time: number; what: string }[];
  tracking: Tracking | null;
  links: LinkPeaks[];
  warnings: string[];
  command: string;
}

export interface Run {
  name: string;
  rows: number;
  thinned: boolean;
  times: { count: number; at: number };
  channels: Channel[];
  arm: Arm | null;
  motion: Motion | null;
  /** Rows from which the arm could have been drawn. */
  drawable: number;
  noArm: string | null;
  figures: Figure[];
  frequencies: { locked?: number[]; free?: number[]; why?: string };
  words: Words;
}

export interface ModesTold {
  name: string;
  arm: Arm | null;
  clips: Motion[];
  noArm: string | null;
  lines: {
    hertz: number;
    damping: number;
    unstable: boolean;
    moves: [string, number][];
    error: number | null;
  }[];
  noConvergence: string | null;
  words: { arm: ArmTable; facts: [string, string][] };
}

export type Page =
  | { kind: "run"; version: string; told: { runs: Run[] } }
  | { kind: "modes"; version: string; told: ModesTold };

/** The word that stands for what is no number. */
const GAP = 65535;

/** Numbers of a block, which has an offset and a scale of its own. */
const BLOCK = 128;

/** A row that is decoded where it is looked at: of a motion most instants never are. */
export class Row {
  constructor(
    private readonly offset: number,
    private readonly scale: number,
    private readonly words: DataView | null,
  ) {}

  /** One of its numbers, which must not be a gap. */
  at(k: number): number {
    return this.words ? this.offset + this.scale * this.words.getUint16(2 * k, true) : this.offset;
  }
}

/** All numbers of the page. */
export class Numbers {
  private readonly bytes: ArrayBuffer;

  constructor(base64: string) {
    const text = atob(base64.trim());
    const bytes = new Uint8Array(text.length);
    for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
    this.bytes = bytes.buffer;
  }

  /** Numbers with all their digits. */
  exact(at: number, count: number): Float64Array {
    return new Float64Array(this.bytes, at, count);
  }

  /** Numbers of sixteen bits without gaps. */
  row([offset, scale, at]: Packed, count: number): Row {
    return new Row(offset, scale, at === null ? null : new DataView(this.bytes, at, 2 * count));
  }

  /** Numbers of sixteen bits in blocks; gaps are NaN. */
  fine([offset, , at]: Packed, count: number): Float64Array {
    const values = new Float64Array(count).fill(offset ?? NaN);
    if (at === null) return values;
    const view = new DataView(this.bytes, at);
    const words = 16 * Math.ceil(count / BLOCK);
    for (let first = 0, block = 0; first < count; first += BLOCK, block += 16) {
      const [from, scale] = [view.getFloat64(block, true), view.getFloat64(block + 8, true)];
      const end = Math.min(first + BLOCK, count);
      for (let k = first; k < end; k++) {
        const word = view.getUint16(words + 2 * k, true);
        values[k] = word === GAP ? NaN : from + scale * word;
      }
    }
    return values;
  }

  /** The step in which a number of such a row is known. */
  stepAt([, , at]: Packed, k: number): number {
    return at === null ? 0 : new DataView(this.bytes, at).getFloat64(16 * Math.floor(k / BLOCK) + 8, true);
  }
}

/** What the page holds. */
export function read(): { page: Page; numbers: Numbers } {
  const text = (id: string) => document.getElementById(id)?.textContent ?? "";
  return { page: JSON.parse(text("told")) as Page, numbers: new Numbers(text("numbers")) };
}

/** The last place whose time is not later; the first where all are. */
export function placeOf(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The place whose time is nearest. */
export function nearest(times: ArrayLike<number>, t: number): number {
  const k = placeOf(times, t);
  return k + 1 < times.length && times[k + 1] - t < t - times[k] ? k + 1 : k;
}

/** The distance that most neighbours have: the median. */
export function usualDistance(times: ArrayLike<number>): number {
  if (times.length < 2) return 0;
  const apart = Float64Array.from({ length: times.length - 1 }, (_, k) => times[k + 1] - times[k]).sort();
  return apart[apart.length >> 1];
}
