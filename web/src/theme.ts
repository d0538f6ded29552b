// Light and dark, as the system says or as the switch is set.

import { el } from "./dom";

export type Theme = "light" | "dark";

const KEY = "pliant-theme";
const listeners: (() => void)[] = [];

/** The theme that is shown. */
export function theme(): Theme {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

/** Calls back whenever the theme changes. */
export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

/** A colour of the style sheet. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** The colours of lines, one after the other. */
export function lineColour(k: number): string {
  return colour(`line-${k % 8}`);
}

export function setTheme(wanted: Theme): void {
  document.documentElement.dataset.theme = wanted;
  for (const listener of listeners) listener();
}

/** Takes the system's theme, or the one of last time, and gives the switch. */
export function themeSwitch(): HTMLElement {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const kept = remembered();
  setTheme(kept ?? (system.matches ? "dark" : "light"));
  system.addEventListener("change", () => {
    if (!remembered()) setTheme(system.matches ? "dark" : "light");
  });
  const flip = () => {
    const wanted = theme() === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, wanted);
    } catch {
      // a page from disk may have no memory
    }
    setTheme(wanted);
  };
  return el("button", { id: "theme", class: "quiet", title: "Light or dark (T)", click: flip }, "◐");
}

function remembered(): Theme | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "dark" || kept === "light" ? kept : null;
  } catch {
    return null;
  }
}
