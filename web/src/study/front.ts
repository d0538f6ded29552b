// What is best so far along the path of an optimisation, and the runs that no other one beats in two
// figures.

import type { Column, Study } from "./data";

export interface Front {
  /** From the best along the axis on. */
  rows: number[];
  /** Whether it is the path of an optimisation, rather than a front of two figures. */
  isPath: boolean;
  words: string;
}

/** The path of what is sought, or the front of two columns of which each has a better end. */
export function front(study: Study, rows: number[], over: Column, figure: Column): Front | null {
  const isPath = over === study.index && figure.isGoal;
  const hasEnds = over.lowerIsBetter !== null && figure.lowerIsBetter !== null && over !== figure;
  if (!isPath && !hasEnds) return null;
  const [alongSign, sign] = [over, figure].map((one) => (one.lowerIsBetter === false ? -1 : 1));
  const along = (k: number) => alongSign * over.values[k];
  const value = (k: number) => sign * figure.values[k];
  const order = rows.filter((k) => study.isFeasible(k)).sort((a, b) => along(a) - along(b) || value(a) - value(b));
  let best = Infinity;
  const all = order.filter((k) => {
    const isBetter = value(k) < best;
    if (isBetter) best = value(k);
    return isBetter;
  });
  const words = isPath
    ? "The line is the best so far."
    : `${all.length} of these runs are on the Pareto front: no other one is better in both.`;
  return { rows: all, isPath, words };
}
