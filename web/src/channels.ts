// Channels that are searched and chosen, in plots of their own.

import type { Channel } from "./data";
import { el } from "./dom";
import { plannedName, titleOf, type PlotPlan } from "./groups";
import type { ExtraTab, Plots } from "./plots";

/** Names that are listed, at most. */
const LISTED = 80;

/** Channels of one plot, at most. */
const TOGETHER = 8;

/** The channels that have all words in their name, their unit or what they are; a star is anything. */
export function search(channels: Channel[], words: string): Channel[] {
  const quoted = (word: string) => word.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*+/g, ".*");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean).map((word) => new RegExp(quoted(word)));
  const text = (one: Channel) => `${one.name} [${one.unit}] ${titleOf(one)}`.toLowerCase();
  return channels.filter((one) => wanted.every((word) => word.test(text(one))));
}

/** The tab in which channels are chosen; it keeps what was chosen. */
export function channelsTab(): ExtraTab {
  const chosen = new Set<string>();
  let words = "";
  const make = (plots: Plots) => {
    const all = plots.runs.channels;
    const list = el("div", { class: "found" });
    const note = el("p", { class: "note" });
    const body = el("div", {});
    const input = el("input", {
      type: "search",
      id: "find",
      placeholder: `search ${all.length} channels, as "fore rate" or "*.position.z"`,
      "aria-label": "search channels",
      input: () => find(),
      keydown: (event) => {
        if ((event as KeyboardEvent).key !== "Enter") return;
        for (const one of search(all, words).slice(0, LISTED)) chosen.add(one.name);
        find();
        draw();
      },
    });
    input.value = words;
    const none = () => {
      chosen.clear();
      find();
      draw();
    };
    const find = () => {
      words = input.value;
      const found = search(all, words);
      list.replaceChildren(
        ...found.slice(0, LISTED).map((one) => {
          const flip = () => {
            if (!chosen.delete(one.name)) chosen.add(one.name);
            draw();
          };
          return el("label", {}, el("input", { type: "checkbox", checked: chosen.has(one.name), change: flip }), one.name, el("small", {}, one.unit === "1" ? "" : one.unit));
        }),
      );
      const more = found.length > LISTED ? `, of which the first ${LISTED} are listed` : "";
      note.textContent = `${found.length} of ${all.length} channels${more}. Enter chooses all that are listed.`;
    };
    const draw = () => body.replaceChildren(plots.list(plansOf(all, chosen, plots.runs.compares)));
    find();
    draw();
    const bar = el("div", { class: "bar" }, input, el("button", { class: "quiet", title: "Choose none", click: none }, "none"));
    return el("div", { class: "choice" }, el("article", { class: "plot" }, bar, list, note), body);
  };
  return { key: "channels", title: "Channels", make };
}

/** Plots of the channels that are chosen: by unit, or one for each where runs share them. */
function plansOf(all: Channel[], chosen: Set<string>, isShared: boolean): PlotPlan[] {
  const units = new Map<string, Channel[]>();
  for (const one of all.filter(({ name }) => chosen.has(name))) units.set(one.unit, [...(units.get(one.unit) ?? []), one]);
  const most = isShared ? 1 : TOGETHER;
  return [...units].flatMap(([unit, channels]) =>
    Array.from({ length: Math.ceil(channels.length / most) }, (_, k) => {
      const own = channels.slice(most * k, most * (k + 1));
      const planned = own.map(({ name }) => all.find((one) => one.name === plannedName(name) && !chosen.has(one.name)));
      return { title: own.length === 1 ? own[0].name : "Chosen channels", unit, channels: own, planned };
    }),
  );
}
