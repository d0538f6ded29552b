// What pliant has put into the page of a study: some rows of its table, column by column.

import type { Numbers } from "../data";

/** Texts, each once, and which of them each row has. */
interface Words {
  words: string[];
  at: number;
}

interface ColumnTold {
  name: string;
  label: string;
  unit: string;
  at: number;
}

export interface ParameterTold extends ColumnTold {
  paths: string[];
  words: string[] | null;
  logarithmic: boolean;
  /** Whether it has certain values, rather than any of a distribution. */
  levels: boolean;
}

/** A number with the run that has it. */
type End = [value: number, run: number];

export interface FigureTold extends ColumnTold {
  lowerIsBetter: boolean | null;
  known: number;
  /** How many runs that ended have no such number; the range is that of the others. */
  missing: number;
  least: End | null;
  median: number | null;
  most: End | null;
}

/** One of the best trials: by how much it keeps each constraint (SI units), and of which parameters
 * the value is at an end of its range, in words. */
export interface BestTold {
  run: number;
  constraints: [text: string, slack: number][];
  at_end: (string | null)[];
}

/** What an optimisation found: the best trial, or the ends of the front of two figures, with how many
 * trials are on it; how many keep all constraints, and whether more of them may find better ones. */
export interface OptimumTold {
  ends: BestTold[];
  front: number;
  feasible: number;
  used_up: boolean;
  is_constrained: boolean;
  /** Why there is no best trial, where there is none. */
  without: string | null;
}

/** A part of a variance: the estimate, and the least and the most that it may be. */
export type Part = [value: number, low: number, high: number];

export interface Sensitivity {
  figure: string;
  parameter: string;
  first: Part;
  total: Part;
  left_out: number;
}

export interface StudyTold {
  name: string;
  /** The folder, as a word for a shell. */
  folder: string;
  /** Rows of the table, and those of the page. */
  rows: number;
  count: number;
  index: number;
  parameters: ParameterTold[];
  figures: FigureTold[];
  status: Words;
  reason: Words;
  detail: Words;
  statuses: Record<string, number>;
  reasons: [status: string, reason: string, count: number][];
  sensitivities: Sensitivity[];
  /** Of an optimisation: what is made small or large, and which trials keep all constraints: 1, 0 or,
   * where they failed, not a number. */
  optimisation: { goals: { name: string; is_maximised: boolean }[]; feasible: number; optimum: OptimumTold | null } | null;
  /** What is looked at first; nothing where no run has a figure. */
  view: { figure: string; over: string; by: string | null } | null;
  facts: [string, string][];
  /** Runs that have a page of their own below the folder. */
  pages: number[];
  /** Where beams keep their shapes: which runs can be made again alone all the same. */
  alone: number | null;
}

export interface StudyPage {
  version: string;
  told: StudyTold;
}

/** More different values than this are no levels. */
const MOST_LEVELS = 256;

/** How runs end that are meant to. */
const GOOD = ["completed", "stopped"];

export type Kind = "index" | "parameter" | "figure";

/** A column of numbers; texts are their places in a list. */
export class Column {
  /** The values that it has, ascending, where they are few. */
  readonly levels: number[] | null;
  /** The least and the most of its numbers. */
  readonly range: [number, number];

  constructor(
    readonly name: string,
    readonly label: string,
    readonly unit: string,
    readonly kind: Kind,
    readonly values: Float64Array,
    readonly words: string[] | null = null,
    readonly isLogarithmic = false,
    hasLevels = false,
    /** Which end is the better one, where one is. */
    readonly lowerIsBetter: boolean | null = null,
    /** Whether an optimisation makes it small or large. */
    readonly isGoal = false,
  ) {
    const different = new Set<number>();
    let [low, high] = [Infinity, -Infinity];
    for (const x of values) {
      if (!Number.isFinite(x)) continue;
      low = Math.min(low, x);
      high = Math.max(high, x);
      if (different.size <= MOST_LEVELS) different.add(x);
    }
    this.range = low <= high ? [low, high] : [0, 1];
    this.levels = hasLevels && different.size <= MOST_LEVELS ? [...different].sort((a, b) => a - b) : null;
  }

  /** Whether any row has a number here. */
  get isKnown(): boolean {
    return this.values.some(Number.isFinite);
  }
}

/** Some rows of a study. */
export class Study {
  readonly index: Column;
  readonly parameters: Column[];
  readonly figures: Column[];
  readonly count: number;
  private readonly feasible: Float64Array | null;
  private readonly alone: Float64Array | null;
  private readonly words: Record<"status" | "reason" | "detail", { words: string[]; at: Float64Array }>;

  constructor(
    readonly told: StudyTold,
    numbers: Numbers,
  ) {
    const of = (at: number) => numbers.exact(at, told.count);
    this.count = told.count;
    this.index = new Column("index", "run", "1", "index", of(told.index));
    const goal = (name: string) => told.optimisation?.goals.find((one) => one.name === name);
    const better = (name: string, usual: boolean | null): [boolean | null, boolean] => {
      const own = goal(name);
      return own ? [!own.is_maximised, true] : [usual, false];
    };
    this.parameters = told.parameters.map(
      ({ name, label, unit, at, words, logarithmic, levels }) => new Column(name, label, unit, "parameter", of(at), words, logarithmic, levels, ...better(name, null)),
    );
    this.figures = told.figures.map(
      ({ name, label, unit, at, lowerIsBetter }) => new Column(name, label, unit, "figure", of(at), null, false, false, ...better(name, lowerIsBetter)),
    );
    this.feasible = told.optimisation ? of(told.optimisation.feasible) : null;
    this.alone = told.alone === null ? null : of(told.alone);
    const texts = ({ words, at }: Words) => ({ words, at: of(at) });
    this.words = { status: texts(told.status), reason: texts(told.reason), detail: texts(told.detail) };
  }

  /** All columns, in the order of the table. */
  get columns(): Column[] {
    return [this.index, ...this.parameters, ...this.figures];
  }

  /** How a row ended, why, and all that there is to say. */
  text(what: "status" | "reason" | "detail", k: number): string {
    const { words, at } = this.words[what];
    return words[at[k]] ?? "";
  }

  /** The number of a run. */
  run(k: number): number {
    return this.index.values[k];
  }

  /** The row of a run, if the page has it. */
  rowOf(run: number): number {
    return this.index.values.indexOf(run);
  }

  /** Whether a run reached an end that was meant. */
  isGood(k: number): boolean {
    return GOOD.includes(this.text("status", k));
  }

  /** How many runs of the whole table do. */
  get ended(): number {
    return GOOD.reduce((sum, status) => sum + (this.told.statuses[status] ?? 0), 0);
  }

  /** Whether it does and, in an optimisation, keeps all constraints. */
  isFeasible(k: number): boolean {
    return this.feasible ? this.feasible[k] === 1 : this.isGood(k);
  }

  /** Whether it is a trial of which nobody knows whether it keeps the constraints: it failed. */
  isUnjudged(k: number): boolean {
    return this.feasible !== null && Number.isNaN(this.feasible[k]);
  }

  /** Whether a run can be made again alone, with the same figures. */
  isAlone(k: number): boolean {
    return this.alone === null || this.alone[k] === 1;
  }

  /** Whether it is an optimisation, of which trials may break constraints. */
  get optimises(): boolean {
    return this.feasible !== null;
  }
}
