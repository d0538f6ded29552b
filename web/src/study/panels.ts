// What stands beside the drawings: the run that was chosen, sensitivities, the range of each figure, and
// the study in words.

import { command, el, table } from "../dom";
import { figure, onUnits, quantity } from "../units";
import { panel, facts } from "../words";
import { told } from "./axis";
import type { BestTold, Column, FigureTold, Part, Study } from "./data";
import type { Change, State } from "./state";

/** Lines of a long table before the rest is folded away. */
const SHOWN = 14;

/** A panel that is made anew with the units, and where something changes on which it depends. */
function living(state: State, id: string, on: Change | null, make: () => HTMLElement): HTMLElement {
  const holder = el("div", { id });
  const draw = () => holder.replaceChildren(make());
  state.onChange((change) => change === on && draw());
  onUnits(draw);
  draw();
  return holder;
}

/** The run that was chosen: its values, how it ended, and the way to its own page. */
export function runPanel(state: State): HTMLElement {
  const { study } = state;
  return living(state, "run", "run", () => {
    const row = state.chosen;
    if (row < 0) return panel("Run", el("p", { class: "note" }, "Click on a point, a cell or a line of the table to see a run."));
    const run = study.run(row);
    const values = (columns: Column[]) => columns.map((one): [string, string] => [one.label, told(one, one.values[row])]);
    const [status, reason, detail] = (["status", "reason", "detail"] as const).map((what) => study.text(what, row));
    const badge = el("span", { class: study.isGood(row) ? "badge good" : "badge bad" }, status);
    const close = el("button", { class: "quiet", title: "Choose no run", click: () => state.choose(row) }, "×");
    const why = [reason, detail].filter(Boolean).join(": ");
    const figures = study.figures.filter((one) => Number.isFinite(one.values[row]));
    return el(
      "article",
      { class: "panel" },
      el("h2", {}, `Run ${run} `, badge, close),
      why && el("p", { class: "alert" }, why),
      el("h4", {}, "Parameters"),
      facts(values(study.parameters)),
      figures.length > 0 && el("h4", {}, "Figures"),
      figures.length > 0 && el("div", { class: "scroll tall" }, facts(values(figures))),
      ...wayTo(study, row, status),
    );
  });
}

/** The page of a run, where there is one, and the command that makes it. */
function wayTo(study: Study, row: number, status: string): (HTMLElement | null)[] {
  const { pages } = study.told;
  const run = study.run(row);
  const page = pages.includes(run) ? el("p", {}, el("a", { href: `runs/${run}/report.html` }, `The report of run ${run}`)) : null;
  if (["excluded", "refused", "empty"].includes(status)) return [page];
  return [page, ...again(study, row, page ? "Made with" : "Its report")];
}

/** The command that makes a run again, or why there is none. */
function again(study: Study, row: number, label: string): HTMLElement[] {
  if (!study.isAlone(row)) return [el("p", { class: "note" }, 'Its beams have the shapes of the study\'s arm (shapes = "nominal"), in which no run can be made again alone.')];
  return [command(label, `pliant run ${study.told.folder} --row ${study.run(row)}`, "Copy the command that makes the report of this run")];
}

/** What an optimisation found: the best trial, or the ends of the front. */
export function bestPanel(state: State): HTMLElement | null {
  const { study } = state;
  const { optimisation, rows } = study.told;
  const optimum = optimisation?.optimum;
  if (!optimisation || !optimum) return null;
  const { ends, front, feasible, used_up: usedUp, is_constrained: isConstrained, without } = optimum;
  const more = usedUp ? ` All ${rows} trials were used: more evaluations may find better ones.` : "";
  if (ends.length === 0) {
    const why = `${sentence(without ?? "no trial is the best")}.${more}`;
    return el("div", { id: "best" }, panel("Best trial", el("p", { class: "alert" }, why)));
  }
  const { goals } = optimisation;
  const label = (name: string) => study.columns.find((one) => one.name === name)?.label ?? name;
  const words = goals.map(({ name, is_maximised: isLarge }) => `${isLarge ? "largest" : "smallest"} ${label(name)}`);
  const keep = isConstrained ? "that keep all constraints" : "that ended with figures";
  const ofFront = front === 1 ? "One trial is better than all others in both" : `The ends of a front of ${front} trials`;
  const count = goals.length === 1 ? `Of ${feasible} trials ${keep}.` : `${ofFront}, of ${feasible} ${keep}.`;
  return living(state, "best", null, () => {
    const cards = ends.map((one, k) => bestCard(state, one, ends.length > 1 || goals.length === 1 ? [words[k]] : words));
    const title = goals.length === 1 ? "Best trial" : "Best trials";
    return panel(title, el("div", { class: "cards" }, ...cards), el("p", { class: "note" }, count + more));
  });
}

/** With a capital letter. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One of the best trials, for what it is best: its figures and parameters, by how much it keeps each
 * constraint, and the command that makes it again. */
function bestCard(state: State, { run, constraints, at_end: atEnd }: BestTold, words: string[]): HTMLElement {
  const { study } = state;
  const row = study.rowOf(run);
  const goals = study.told.optimisation?.goals ?? [];
  const named = goals.map(({ name }) => study.figures.find((one) => one.name === name)).filter((one) => one !== undefined);
  // units and digits are those of the trial itself: others may have failed far away
  const own = (one: Column) => (one.words ? told(one, one.values[row]) : quantity(one.values[row], one.unit, 5));
  const value = (one: Column, note = ""): [string, string] => [one.label, own(one) + note];
  const parameters = study.parameters.map((one, k) => value(one, atEnd[k] ? `, ${atEnd[k]}` : ""));
  const kept = constraints.map(([text, slack]): [string, string] => [text, `by ${figure(slack)}`]);
  const choose = el("button", { class: "instant", title: "Show this trial", click: () => state.chosen !== row && state.choose(row) }, `trial ${run}`);
  return el(
    "section",
    {},
    el("h4", {}, choose, `: ${words.join(", ")}`),
    el("div", { class: "sides" }, facts([...named.map((one) => value(one)), ...parameters]), kept.length > 0 && el("div", {}, el("p", { class: "note" }, "It keeps (SI units):"), facts(kept))),
    ...again(study, row, "To repeat it"),
  );
}

/** How much of the variance of the figure each parameter causes. */
export function sensitivityPanel(state: State): HTMLElement | null {
  const all = state.study.told.sensitivities;
  if (all.length === 0) return null;
  return living(state, "sensitivity", "choice", () => {
    const own = all.filter((one) => one.figure === state.figure.name);
    const title = `Sensitivities: ${state.figure.label}`;
    if (own.length === 0) return panel(title, el("p", { class: "note" }, "It has no Sobol indices: it is the same in every run, or too few runs have it."));
    const ends = own.flatMap(({ first, total }) => [...first, ...total]);
    const [low, high] = [Math.min(0, ...ends), Math.max(1, ...ends)];
    const lines = [...own]
      .sort((a, b) => b.total[0] - a.total[0])
      .map((one) => el("tr", {}, el("td", { class: "left" }, one.parameter), el("td", { class: "bars" }, bar("first", one.first, low, high), bar("total", one.total, low, high)), numbers(one.first, one.total)));
    const legend = el("p", { class: "legend" }, el("span", { class: "chip first" }, el("i", {}), "alone (first order)"), el("span", { class: "chip total" }, el("i", {}), "with all others (total)"));
    const left = own[0].left_out;
    const note = `Parts of the variance, with the intervals that contain them with 95 %.${left > 0 ? ` ${left} blocks of runs were left out, since a run of them has no such number.` : ""}`;
    return panel(title, legend, el("table", { class: "sobol" }, el("tbody", {}, ...lines)), el("p", { class: "note" }, note));
  });
}

/** A bar from zero, with its interval. */
function bar(kind: string, [value, from, to]: Part, low: number, high: number): HTMLElement {
  const at = (x: number) => `${(100 * (x - low)) / (high - low)}%`;
  const wide = (x: number) => `${(100 * Math.abs(x)) / (high - low)}%`;
  const piece = el("i", { class: kind });
  Object.assign(piece.style, { left: at(Math.min(value, 0)), width: wide(value) });
  const whisker = el("b", {});
  Object.assign(whisker.style, { left: at(from), width: wide(to - from) });
  return el("div", { class: "track", title: `${parts(value)}, from ${parts(from)} to ${parts(to)}` }, piece, whisker);
}

function numbers(...all: Part[]): HTMLElement {
  return el("td", { class: "right" }, ...all.map(([value]) => el("div", {}, parts(value))));
}

/** A part of a variance. */
function parts(x: number): string {
  return x.toFixed(3).replace(/^-(0\.0+)$/, "$1");
}

/** The range of each figure; its name chooses it, the ends choose their runs. */
export function figuresPanel(state: State): HTMLElement {
  const { study } = state;
  let isWhole = false;
  return living(state, "figures", null, function make(): HTMLElement {
    const known = study.told.figures.filter((one) => one.known > 0 || one.missing > 0);
    const lacks = known.some((one) => one.missing > 0);
    const ended = study.ended;
    const line = (one: FigureTold) => {
      const column = study.figures.find((own) => own.name === one.name);
      const look = one.known > 0 ? el("button", { class: "instant", title: one.name, click: () => column && state.look({ figure: column }) }, one.label) : el("span", { title: one.name }, one.label);
      const end = (which: "least" | "most"): Node | string => {
        const found = one[which];
        if (!found) return "–";
        const row = study.rowOf(found[1]);
        const isBest = one.lowerIsBetter === (which === "least") && one.lowerIsBetter !== null;
        const title = `run ${found[1]}${isBest ? ", the best" : ""}`;
        return el("button", { class: isBest ? "instant best" : "instant", title, click: () => row >= 0 && state.choose(row) }, quantity(found[0], one.unit));
      };
      const missing = one.missing > 0 ? el("span", { class: "failed" }, String(one.missing)) : "0";
      return [look, end("least"), quantity(one.median, one.unit), end("most"), ...(lacks ? [missing] : [])];
    };
    const shown = isWhole ? known : known.slice(0, SHOWN);
    const lines = table(["figure", "least", "median", "most", ...(lacks ? ["without"] : [])], shown.map(line));
    lines.classList.add("figures");
    const more = el("button", { class: "quiet", click: () => ((isWhole = true), more.parentElement?.replaceWith(make())) }, `all ${known.length}`);
    const none = known.length === 0 ? el("p", { class: "note" }, "No run has a figure.") : null;
    const isOfRest = ({ name }: FigureTold) => ["settling_time", "still_from", "residual_amplitude", "overshoot"].some((end) => name.endsWith(end));
    const rests = known.some((one) => one.missing > 0 && isOfRest(one));
    const why = rests ? " Without settling time, residual amplitude or overshoot: not settled, or no rest after the plan to look at." : "";
    const note = `Of ${ended} runs that ended, so many are without a figure; the rest of its line is of the others.${why}`;
    const left = lacks ? el("p", { class: "note", id: "without" }, note) : null;
    return panel("Figures", el("div", { class: "scroll" }, lines), shown.length < known.length ? more : null, left, none);
  });
}

/** The study in words. */
export function studyPanel({ told: { statuses, reasons, facts: about, parameters, rows } }: Study): HTMLElement {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} ${status}`);
  const changed = parameters.map(({ name, paths }): [string, string] => [`Parameter ${name}`, paths.join(", ")]);
  const lines = reasons.map(([status, reason, count]) => [String(count), status, reason]);
  const why = lines.length > 0 ? [el("h4", {}, "Not completed"), el("div", { class: "scroll" }, table(["runs", "ended", "reason"], lines, 3))] : [];
  return panel("Study", facts([["Runs", `${rows}: ${counts.join(", ")}`], ...about, ...changed]), ...why);
}
