// The time that all parts of the page share, and the controls that move it.

import { el } from "./dom";
import { figure } from "./units";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Player {
  t: number;
  playing = false;
  speed = 1;
  private readonly listeners: ((t: number) => void)[] = [];
  private readonly stateListeners: (() => void)[] = [];
  private before = 0;

  /** `step` is how far an arrow key goes; a player that loops goes on from the start. */
  constructor(
    readonly start: number,
    readonly end: number,
    readonly step: number,
    readonly loops: boolean,
  ) {
    this.t = start;
    const span = end - start;
    // a short motion is slowed down so that it can be followed
    if (span > 0 && span < 2) this.speed = SPEEDS.find((s) => s >= span / 5) ?? 1;
  }

  onTime(listener: (t: number) => void): void {
    this.listeners.push(listener);
  }

  onState(listener: () => void): void {
    this.stateListeners.push(listener);
  }

  seek(t: number): void {
    this.t = Math.min(Math.max(t, this.start), this.end);
    for (const listener of this.listeners) listener(this.t);
  }

  toggle(): void {
    if (!this.playing && this.t >= this.end) this.seek(this.start);
    this.playing = !this.playing && this.end > this.start;
    this.before = performance.now();
    this.changed();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.changed();
  }

  faster(by: number): void {
    const at = SPEEDS.findIndex((speed) => speed >= this.speed);
    this.setSpeed(SPEEDS[Math.min(Math.max(at + by, 0), SPEEDS.length - 1)]);
  }

  /** Goes on by the time that has passed. */
  tick(now: number): void {
    if (!this.playing) return;
    const t = this.t + ((now - this.before) / 1000) * this.speed;
    this.before = now;
    if (t < this.end) this.seek(t);
    else if (this.loops) this.seek(this.start + ((t - this.start) % (this.end - this.start)));
    else {
      this.seek(this.end);
      this.playing = false;
      this.changed();
    }
  }

  private changed(): void {
    for (const listener of this.stateListeners) listener();
  }
}

/** Play, scrub, speed, and the keys for them. */
export function controls(player: Player, unit = "s"): HTMLElement {
  const play = el("button", { id: "play", class: "play", title: "Play or pause (space)", click: () => player.toggle() });
  const range = { type: "range", min: 0, max: 10000, value: 0, id: "scrub", "aria-label": "time" };
  const span = player.end - player.start;
  const bar = el("input", {
    ...range,
    input: () => player.seek(player.start + (span * Number(bar.value)) / 10000),
  });
  bar.disabled = span <= 0;
  play.disabled = span <= 0;
  const clock = el("output", { id: "clock", class: "clock" });
  const speed = el(
    "select",
    { id: "speed", "aria-label": "speed", title: "Speed ([ and ])", change: () => player.setSpeed(Number(speed.value)) },
    ...SPEEDS.map((s) => el("option", { value: s }, `×${s}`)),
  );
  const digits = decimals(player.step);
  const show = (t: number) => {
    clock.textContent = `${t.toFixed(digits)} ${unit}`;
    bar.value = String(span > 0 ? Math.round(((t - player.start) / span) * 10000) : 0);
  };
  const state = () => {
    play.textContent = player.playing ? "❚❚" : "▶";
    play.setAttribute("aria-label", player.playing ? "pause" : "play");
    speed.value = String(player.speed);
  };
  player.onTime(show);
  player.onState(state);
  show(player.t);
  state();
  keys(player);
  const end = el("span", { class: "end" }, unit === "s" ? `/ ${figure(player.end, 4)} s` : "");
  return el("div", { class: "transport" }, play, bar, clock, end, speed);
}

/** As many decimals as tell one step from the next. */
function decimals(step: number): number {
  const enough = (d: number) => Math.abs(Number(step.toFixed(d)) - step) <= 0.02 * step;
  return [0, 1, 2, 3, 4, 5].find(enough) ?? 6;
}

function keys(player: Player): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    // what has keys of its own keeps them; a button is pressed by two of them
    const types = /^(input|select|textarea)$/i.test(target.tagName) && target.id !== "scrub";
    const presses = target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter");
    if (types || presses || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 10 : 1;
    const act: Record<string, () => void> = {
      " ": () => player.toggle(),
      ArrowRight: () => player.seek(player.t + far * player.step),
      ArrowLeft: () => player.seek(player.t - far * player.step),
      Home: () => player.seek(player.start),
      End: () => player.seek(player.end),
      "[": () => player.faster(-1),
      "]": () => player.faster(1),
      t: () => document.getElementById("theme")?.click(),
    };
    const found = act[event.key];
    if (!found) return;
    event.preventDefault();
    found();
  });
}
