// What is looked at: the figure, the axes, the runs that pass, and the one that was chosen.

import type { Column, Study } from "./data";

export type Change = "choice" | "filter" | "run";
type Range = [number, number];

export class State {
  figure: Column;
  over: Column;
  by: Column | null;
  /** Whether the figure is drawn by its logarithm. */
  isLogarithmic = false;
  /** The row of the run that was chosen. */
  chosen = -1;
  /** Whether a row is shown. */
  readonly passes: Uint8Array;
  /** How many are. */
  passing = 0;
  readonly brushes = new Map<Column, Range>();
  private readonly hidden = new Set<string>();
  private readonly listeners: ((change: Change) => void)[] = [];

  constructor(readonly study: Study) {
    const { view } = study.told;
    const find = (name?: string | null) => study.columns.find((one) => one.name === name);
    this.figure = find(view?.figure) ?? study.figures[0] ?? study.index;
    this.over = find(view?.over) ?? study.index;
    this.by = find(view?.by) ?? null;
    this.passes = new Uint8Array(study.count);
    this.filter();
  }

  onChange(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  /** Looks at another figure, or at it over something else. */
  look(choice: Partial<Pick<State, "figure" | "over" | "by" | "isLogarithmic">>): void {
    Object.assign(this, choice);
    if (this.by === this.over) this.by = null;
    this.changed("choice");
  }

  /** Chooses a run by its row, or none. */
  choose(row: number): void {
    this.chosen = row === this.chosen ? -1 : row;
    this.changed("run");
  }

  /** Shows only rows in a range of a column; without one all. */
  brush(column: Column, range: Range | null): void {
    if (range) this.brushes.set(column, range[0] <= range[1] ? range : [range[1], range[0]]);
    else this.brushes.delete(column);
    this.filter();
    this.changed("filter");
  }

  showsStatus(status: string): boolean {
    return !this.hidden.has(status);
  }

  flipStatus(status: string): void {
    if (!this.hidden.delete(status)) this.hidden.add(status);
    this.filter();
    this.changed("filter");
  }

  /** Shows all rows. */
  clear(): void {
    this.brushes.clear();
    this.hidden.clear();
    this.filter();
    this.changed("filter");
  }

  /** The rows that are shown. */
  rows(): number[] {
    const rows: number[] = [];
    this.passes.forEach((passes, k) => passes && rows.push(k));
    return rows;
  }

  private filter(): void {
    const { study, passes } = this;
    this.passing = 0;
    for (let k = 0; k < study.count; k++) {
      let is = !this.hidden.size || this.showsStatus(study.text("status", k));
      for (const [column, [low, high]] of this.brushes) is &&= column.values[k] >= low && column.values[k] <= high;
      passes[k] = Number(is);
      this.passing += Number(is);
    }
  }

  private changed(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }
}

/** More levels than this are not told apart by colours. */
export const MOST_CURVES = 7;
