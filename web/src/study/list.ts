// The runs as a table: sorted by any column, those that pass alone.

import { download, el, fileName } from "../dom";
import { onUnits } from "../units";
import { named, told } from "./axis";
import type { Column } from "./data";
import type { State } from "./state";
import { figure, readable } from "../units";

/** Lines that are there at first, and with each press of the button below them. */
const SHOWN = 25;
const MORE = 200;

/** Columns of figures; the CSV has all. */
const MOST_FIGURES = 12;

export class List {
  readonly element: HTMLElement;
  private readonly holder = el("div", { class: "scroll" });
  private readonly below = el("div", { class: "bar" });
  private sorted: Column;
  private descends = false;
  private shown = SHOWN;

  constructor(private readonly state: State) {
    this.sorted = state.study.index;
    this.element = el("div", {}, this.holder, this.below);
    state.onChange((change) => {
      if (change === "filter") this.shown = SHOWN;
      if (change === "run") this.mark();
      else this.draw();
    });
    onUnits(() => this.draw());
    this.draw();
  }

  private get columns(): Column[] {
    const { study, figure: chosen } = this.state;
    const figures = study.figures.filter((one) => one.isKnown && one !== chosen).slice(0, MOST_FIGURES - 1);
    return [study.index, ...study.parameters, chosen, ...figures].filter((one, k, all) => all.indexOf(one) === k);
  }

  /** The rows that pass, in order; what has no number comes last. */
  private rows(): number[] {
    const { values } = this.sorted;
    const sign = this.descends ? -1 : 1;
    const known = (k: number) => Number(Number.isFinite(values[k]));
    return this.state.rows().sort((a, b) => known(b) - known(a) || sign * (values[a] - values[b]) || a - b);
  }

  draw(): void {
    const { state, columns } = this;
    const rows = this.rows();
    const scales = columns.map((one) => readable(one.unit, Math.max(...one.range.map(Math.abs))));
    const head = columns.map((column, k) => {
      const isSorted = column === this.sorted;
      const arrow = isSorted ? (this.descends ? " ↓" : " ↑") : "";
      const sort = el("button", { class: "quiet", click: () => this.sort(column) }, named(column.label, scales[k].unit) + arrow);
      return el("th", { class: "right", title: column.name, "aria-sort": isSorted ? (this.descends ? "descending" : "ascending") : undefined }, sort);
    });
    const lines = rows.slice(0, this.shown).map((row) => {
      const cells = columns.slice(1).map((column, k) => {
        const text = column.words ? told(column, column.values[row]) : figure(scales[k + 1].factor * column.values[row], 5);
        return el("td", { class: "right" }, text);
      });
      const run = el("button", { class: "instant", title: "Show this run", click: (event) => (event.stopPropagation(), state.choose(row)) }, String(state.study.run(row)));
      const [status, reason] = [state.study.text("status", row), state.study.text("reason", row)];
      const ended = el("span", { class: state.study.isGood(row) ? "" : "failed", title: state.study.text("detail", row) }, reason ? `${status}: ${reason}` : status);
      return el(
        "tr",
        { "data-row": row, click: () => state.choose(row) },
        el("td", { class: "right" }, run),
        el("td", { class: "left" }, ended),
        ...cells,
      );
    });
    const titles = el("tr", {}, head[0], el("th", { class: "left" }, "ended"), ...head.slice(1));
    // whoever sorts by keys stays where he is
    const buttons = () => [...this.holder.querySelectorAll("button")];
    const focused = buttons().indexOf(document.activeElement as HTMLButtonElement);
    this.holder.replaceChildren(el("table", { class: "runs" }, el("thead", {}, titles), el("tbody", {}, ...lines)));
    if (focused >= 0) buttons()[focused]?.focus();
    this.mark();
    const more = rows.length - lines.length;
    const show = () => {
      this.shown += MORE;
      this.draw();
    };
    this.below.replaceChildren(
      more > 0 ? el("button", { class: "quiet", click: show }, `${Math.min(more, MORE)} more of ${more}`) : "",
      el("span", { class: "gap" }),
      el("button", { class: "quiet", id: "csv", title: "Save these runs with all figures in SI units and with all digits", click: () => this.save(rows) }, "CSV"),
    );
  }

  /** Marks the run that was chosen. */
  private mark(): void {
    for (const line of this.holder.querySelectorAll<HTMLElement>("tbody tr")) {
      line.classList.toggle("chosen", Number(line.dataset.row) === this.state.chosen);
    }
  }

  private sort(column: Column): void {
    this.descends = column === this.sorted && !this.descends;
    this.sorted = column;
    this.draw();
  }

  private save(rows: number[]): void {
    const { study } = this.state;
    const cell = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    // a program for tables would take such a text for a formula
    const plain = (text: string) => (/^[=+\-@\t\r']/.test(text) ? `'${text}` : text);
    const words = ["status", "reason", "detail"] as const;
    const head = [...study.columns.map((one) => named(one.name, one.unit)), ...words].map(plain);
    const lines = rows.map((row) => {
      const numbers = study.columns.map((one) => {
        const x = one.values[row];
        if (one.words) return plain(one.words[x] ?? "");
        return Number.isNaN(x) ? "" : String(x);
      });
      return [...numbers, ...words.map((what) => plain(study.text(what, row)))];
    });
    const text = [head, ...lines].map((line) => line.map(cell).join(",")).join("\n") + "\n";
    download(fileName(`${study.told.name}-runs`, "csv"), "text/csv", text);
  }
}
