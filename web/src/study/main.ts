// Puts the page of a study together.

import "../fault";
import "../style.css";
import "./study.css";
import { Numbers } from "../data";
import { command, el } from "../dom";
import { themeSwitch } from "../theme";
import { unitSwitch } from "../units";
import { curvesSuit, Response } from "./response";
import { Study, type Column, type StudyPage } from "./data";
import { List } from "./list";
import { bestPanel, figuresPanel, runPanel, sensitivityPanel, studyPanel } from "./panels";
import { Parallel } from "./parallel";
import { State } from "./state";

const text = (id: string) => document.getElementById(id)?.textContent ?? "";
const { version, told } = JSON.parse(text("told")) as StudyPage;
const study = new Study(told, new Numbers(text("numbers")));
const state = new State(study);
const root = document.getElementById("page") as HTMLElement;
const toggle = themeSwitch();

const response = new Response(state);
const parallel = new Parallel(state);
const list = new List(state);
root.replaceChildren(
  header(),
  bestPanel(state) ?? "",
  el(
    "div",
    { class: "study" },
    el(
      "div",
      { class: "drawings" },
      el("article", { class: "panel", id: "responses" }, choices(), response.element, drawing()),
      el("article", { class: "panel" }, filterBar(), parallel.element),
      el("article", { class: "panel" }, el("h2", {}, "Runs"), sampled(), list.element),
    ),
    el("div", { class: "beside" }, runPanel(state), sensitivityPanel(state), figuresPanel(state), studyPanel(study)),
  ),
  el("footer", {}, `Made by pliant ${version}. Dragging along an axis keeps the runs in a range; T changes the theme.`),
);
response.draw();
parallel.draw();
// on a phone the run is below the drawings
state.onChange((change) => {
  const panel = document.getElementById("run");
  if (change === "run" && state.chosen >= 0 && innerWidth < 1050) panel?.scrollIntoView({ block: "nearest", behavior: "smooth" });
});
addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
  const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if ((key === "t" || key === "T") && !isTyping && !ctrlKey && !metaKey && !altKey) toggle.click();
});

// for the tests of the page
Object.assign(window, { pliant: { study, state, response, parallel } });

function header(): HTMLElement {
  document.title = `${told.name} – pliant`;
  const failed = Object.entries(told.statuses).filter(([status]) => ["failed", "refused", "fault"].includes(status));
  const count = failed.reduce((sum, [, more]) => sum + more, 0);
  return el(
    "header",
    { class: "top" },
    el("span", { class: "mark" }, "pliant"),
    el("h1", {}, told.name),
    el("span", { class: "badge" }, study.optimises ? "optimisation" : "study"),
    el("span", { class: "badge good", id: "count" }, `${told.rows} runs`),
    count > 0 && el("span", { class: "badge bad", id: "failed" }, `${count} failed`),
    el("span", { class: "gap" }),
    unitSwitch(),
    toggle,
  );
}

/** The figure, and what it is drawn over. */
function choices(): HTMLElement {
  const select = (id: string, columns: (Column | null)[], chosen: () => Column | null, choose: (column: Column | null) => void) => {
    const options = columns.map((one, k) => el("option", { value: String(k), title: one?.name }, one?.label ?? "nothing"));
    const box = el("select", { id, change: () => choose(columns[Number(box.value)]) }, ...options);
    const show = () => (box.value = String(columns.indexOf(chosen())));
    state.onChange(show);
    show();
    return box;
  };
  const { parameters, index } = study;
  const figures = [...study.figures, ...parameters.filter((one) => one.isGoal)].filter((one) => one.isKnown);
  const figure = select("figure", figures.length > 0 ? figures : study.figures, () => state.figure, (one) => one && state.look({ figure: one }));
  const over = select("over", [...parameters, index, ...figures.filter((one) => one.kind === "figure")], () => state.over, (one) => one && state.look({ over: one }));
  const by = select("by", [null, ...parameters], () => state.by, (one) => state.look({ by: one }));
  const log = el("input", { type: "checkbox", id: "log", change: () => state.look({ isLogarithmic: log.checked }) });
  const word = el("span", {});
  const show = () => (word.textContent = state.by && !curvesSuit(state.by) ? "and" : "by");
  state.onChange(show);
  show();
  return el(
    "div",
    { class: "bar choices" },
    el("label", { class: "first" }, figure),
    el("label", {}, "over", over),
    el("label", {}, word, by),
    el("label", { title: "The figure by its logarithm" }, log, "logarithmic"),
  );
}

/** The command that draws the same for a paper. */
function drawing(): HTMLElement {
  const holder = el("div", {});
  const show = () => {
    const words = [`--figure ${word(state.figure.name)}`, `--over ${word(state.over.name)}`];
    if (state.by) words.push(`--by ${word(state.by.name)}`);
    holder.replaceChildren(command("For a paper", `pliant plot ${told.folder} ${words.join(" ")}`, "Copy the command that draws this as SVG"));
  };
  state.onChange((change) => change === "choice" && show());
  show();
  return holder;
}

/** A word of a shell's command line. */
function word(name: string): string {
  return /^[\w./:,+%@][\w\-./:,+%@]*$/.test(name) ? name : `'${name.replace(/'/g, "'\\''")}'`;
}

/** How many runs pass, and which endings. */
function filterBar(): HTMLElement {
  const passing = el("span", { id: "passing" });
  const all = el("button", { class: "quiet", id: "all", title: "Keep all runs", click: () => state.clear() }, "all");
  const chips = Object.entries(told.statuses).map(([status, count]) => {
    const chip = el("button", { class: "chip", title: "Show or hide these runs", click: () => state.flipStatus(status) }, `${status} ${count}`);
    state.onChange(() => chip.classList.toggle("off", !state.showsStatus(status)));
    return chip;
  });
  const show = () => {
    passing.textContent = `${state.passing} of ${study.count} runs`;
    all.disabled = state.passing === study.count;
  };
  state.onChange(show);
  show();
  return el("div", { class: "bar" }, el("h2", {}, "Parameters and figures"), passing, all, el("span", { class: "gap" }), ...(chips.length > 1 ? chips : []));
}

/** Says where the page does not have all runs. */
function sampled(): HTMLElement | null {
  if (told.count === told.rows) return null;
  const words = `The page has ${told.count} of ${told.rows} runs: one from each of equally long stretches of the table, and those with the least and the most of each figure.`;
  return el("p", { class: "note", id: "sampled" }, words);
}
