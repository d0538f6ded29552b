// Runs compared by their figures: the best of each is marked, and the names are the legend.

import type { Figure, Run } from "./data";
import { el } from "./dom";
import { runColour, type Runs } from "./runs";
import { onTheme } from "./theme";
import { figure, largest, onUnits, readable } from "./units";

/** Figures of the table at the top: others are added to fewer than so many, and no more than so many are shown. */
const FEW = 4;
const MOST = 8;

/** Lines of all figures before the rest is folded away. */
const FOLDED = 16;

/** Figures that differ by less, as a part of the largest, are the same. */
const SAME = 0.01;

/** Lengths (m) and angles (rad) that differ by less are the same. */
const NEGLIGIBLE = 1e-6;

/** What the marks mean. */
const MARKS =
  "Of the figures that tell these runs apart, those in which a run is the best. Equal are figures within 1 % of the largest, lengths within 1 µm and angles within 1 µrad. Runs that broke down are left out.";

/** What the error of a tip is. */
const TIP_ERRORS = "Against the plan; where joints are planned, against the arm without bending, so that sag counts.";

/** A figure of all runs. */
interface Line {
  about: Figure;
  values: (number | null)[];
  /** The runs that are best in it; none where nothing tells them apart. */
  best: Set<number>;
}

/** The figures of all runs, in the order in which they are told. */
export function figureLines(runs: Runs): Line[] {
  const told = runs.all.map((run) => keyed(run.figures));
  const known = new Map(told.flatMap((figures) => [...figures]).reverse());
  const keys = [...new Set(told.flatMap((figures) => [...figures.keys()]))];
  return keys.map((key) => {
    const about = known.get(key) as Figure;
    const values = told.map((figures) => figures.get(key)?.value ?? null);
    // a run that broke down is never the best
    const complete = values.map((x, k) => (runs.all[k].words.ending.good ? x : undefined));
    return { about, values, best: bestOf(complete, about) };
  });
}

/** Figures by what they are: a tip and a joint may have one name, and come in one order. */
function keyed(figures: Figure[]): Map<string, Figure> {
  const all = new Map<string, Figure>();
  for (const one of figures) {
    let key = `${one.name}|${one.subject}`;
    while (all.has(key)) key += "|";
    all.set(key, one);
  }
  return all;
}

/** The best of numbers; where others never came to rest, the only time there is. */
function bestOf(values: (number | null | undefined)[], { unit, lowerIsBetter }: Figure): Set<number> {
  const isKnown = (x: number | null | undefined): x is number => x !== null && x !== undefined;
  const numbers = values.filter(isKnown);
  if (unit === "s" && numbers.length === 1 && values.includes(null)) return new Set([values.findIndex(isKnown)]);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const least = unit === "m" || unit === "rad" ? NEGLIGIBLE : 0;
  const near = Math.max(SAME * largest(numbers), least);
  if (numbers.length < 2 || high - low <= near) return new Set();
  const best = lowerIsBetter ? low : high;
  return new Set(values.flatMap((x, k) => (isKnown(x) && Math.abs(x - best) <= near ? [k] : [])));
}

/**
 * The figures that say most: those of the tip, then those of all motors, then the others where there
 * are few. A time that counts from the end of the plan is left out where one from the start is
 * there: plans may end at different times.
 */
function main(runs: Runs, lines: Line[]): Line[] {
  const tips = runs.all.flatMap((run) => run.words.tracking?.tip?.frame ?? []);
  const isTip = ({ about }: Line) => tips.some((tip) => about.subject === tip || about.subject === `tip ${tip}`);
  const hasStart = lines.some((line) => isTip(line) && line.about.name === "still_from");
  const useful = lines.filter((line) => !(hasStart && isTip(line) && line.about.name === "settling_time"));
  const motors = useful.filter(({ about }) => about.subject === "motors");
  const chosen = [...useful.filter(isTip), ...motors];
  const others = useful.filter((line) => !chosen.includes(line));
  return (chosen.length >= FEW ? chosen : [...chosen, ...others]).slice(0, MOST);
}

/** The table at the top of a page that compares runs. */
export function comparison(runs: Runs): HTMLElement {
  const lines = main(runs, figureLines(runs));
  const wins = runs.all.map((_, run) => lines.filter(({ best }) => best.has(run)).length);
  const decided = lines.filter(({ best }) => best.size > 0).length;
  const most = Math.max(...wins);
  const holder = el("div", { class: "scroll" });
  const draw = () => {
    const scales = lines.map(({ about, values }) => readable(about.unit, largest(values)));
    const head = lines.map(({ about }, k) => {
      const { unit } = scales[k];
      const title = about.name.endsWith("_error") ? TIP_ERRORS : undefined;
      return el("th", { class: "right", title }, about.label, el("small", {}, [about.subject, unit && unit !== "1" ? `[${unit}]` : ""].join(" ")));
    });
    const rows = runs.all.map((run, r) => {
      const cells = lines.map(({ values, best }, k) => {
        const cell = el("td", { class: best.has(r) ? "right best" : "right" }, figure(scales[k].factor * (values[r] ?? NaN), 4));
        const part = values[r] === null ? 0 : Math.abs(values[r]) / (largest(values) || 1);
        cell.style.setProperty("--part", `${(100 * part).toFixed(1)}%`);
        return cell;
      });
      const { ending } = run.words;
      const box = el("input", { type: "checkbox", checked: runs.shows(r), change: () => runs.flip(r), "aria-label": `show ${run.name}` });
      const name = el("label", { title: "Show or hide; double click shows it alone", dblclick: () => runs.only(r) }, box, el("i", {}), el("b", {}, run.name));
      const won = el("td", { class: "right" }, el("span", { class: wins[r] === most && most > 0 ? "badge good" : "badge none" }, `${wins[r]} of ${decided}`));
      const row = el(
        "tr",
        { class: runs.shows(r) ? "" : "off" },
        el("td", { class: "left" }, name, ending.good ? null : el("span", { class: "badge bad" }, ending.word)),
        ...cells,
        decided > 0 && won,
      );
      row.style.setProperty("--run", runColour(r));
      return row;
    });
    const titles = el("tr", {}, el("th", { class: "left" }, "run"), ...head, decided > 0 && el("th", { class: "right", title: MARKS }, "best in"));
    holder.replaceChildren(el("table", { class: "compare" }, el("thead", {}, titles), el("tbody", {}, ...rows)));
  };
  for (const listen of [onTheme, onUnits, (again: () => void) => runs.onChange(again)]) listen(draw);
  draw();
  return el("section", { class: "panel", id: "compare" }, holder, otherArms(runs));
}

/** Says where the runs are not of one arm. */
function otherArms({ all }: Runs): HTMLElement | null {
  const hash = (run: Run) => run.words.facts.find(([label]) => label === "Hash of the arm")?.[1];
  if (all.every((run) => hash(run) === hash(all[0]))) return null;
  const names = [...new Set(all.flatMap((run) => run.words.arm?.name ?? []))];
  const which = names.length > 1 ? `The runs are of different arms: ${names.join(", ")}.` : "The arm is not the same in all runs.";
  return el("p", { class: "note", id: "arms" }, which);
}

/** All figures, one line each, with a column for each run; the first ones until more are asked for. */
export function figureTable(runs: Runs): HTMLElement {
  const lines = figureLines(runs).map(({ about, values, best }) => {
    const { unit, factor } = readable(about.unit, largest(values));
    const cells = values.map((x, k) => el("td", { class: best.has(k) ? "right best" : "right" }, figure(factor * (x ?? NaN), 4)));
    const label = el("td", { class: "left" }, about.label, el("span", { class: "unit" }, unit === "1" ? "" : unit));
    return el("tr", {}, el("td", { class: "left" }, about.subject), label, ...cells);
  });
  const names = runs.all.map((run) => el("th", { class: "right" }, runs.compares ? run.name : "value"));
  const head = el("tr", {}, el("th", { class: "left" }, "of"), el("th", { class: "left" }, "figure"), ...names);
  const body = el("tbody", {}, ...lines.slice(0, FOLDED));
  const holder = el("div", {}, el("div", { class: "scroll" }, el("table", { class: "figures" }, el("thead", {}, head), body)));
  if (lines.length > FOLDED) {
    const more = el("button", { class: "quiet", click: () => (body.replaceChildren(...lines), more.remove()) }, `all ${lines.length}`);
    holder.append(more);
  }
  return holder;
}
