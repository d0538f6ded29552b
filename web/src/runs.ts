// The runs of a page: their numbers, their colours, and which of them are shown.

import type { Channel, Numbers, Run } from "./data";
import { lineColour } from "./theme";

/** The places of runs among the colours of lines: those that differ most come first, grey last. */
const ORDER = [0, 1, 2, 3, 5, 4, 7, 6];

export class Runs {
  readonly times: Float64Array[];
  private readonly hidden = new Set<number>();
  private readonly listeners: (() => void)[] = [];
  private readonly cache = new Map<Channel, Float64Array>();

  constructor(
    readonly all: Run[],
    private readonly numbers: Numbers,
  ) {
    this.times = all.map((run) => numbers.exact(run.times.at, run.times.count));
  }

  /** Whether there are several: then colour tells them apart. */
  get compares(): boolean {
    return this.all.length > 1;
  }

  /** The channels of all runs, each once. */
  get channels(): Channel[] {
    const known = new Map<string, Channel>();
    for (const run of this.all) for (const one of run.channels) if (!known.has(one.name)) known.set(one.name, one);
    return [...known.values()];
  }

  /** A channel of a run, by its name. */
  find(run: number, name: string): Channel | undefined {
    return this.all[run].channels.find((one) => one.name === name);
  }

  /** The numbers of a channel. */
  values(channel: Channel, run = 0): Float64Array {
    let found = this.cache.get(channel);
    if (!found) {
      found = this.numbers.fine(channel.data, this.all[run].times.count);
      this.cache.set(channel, found);
    }
    return found;
  }

  /** The step in which a number of a channel is known. */
  stepAt(channel: Channel, k: number): number {
    return this.numbers.stepAt(channel.data, k);
  }

  shows(run: number): boolean {
    return !this.hidden.has(run);
  }

  /** Hides a run that is shown, or the other way. */
  flip(run: number): void {
    if (!this.hidden.delete(run)) this.hidden.add(run);
    this.changed();
  }

  /** Shows one run alone, or all again where it is alone already. */
  only(run: number): void {
    const isAlone = this.shows(run) && this.hidden.size === this.all.length - 1;
    this.hidden.clear();
    if (!isAlone) this.all.forEach((_, k) => k !== run && this.hidden.add(k));
    this.changed();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Which of the colours of lines a run has. */
export function colourPlace(run: number): number {
  return ORDER[run % ORDER.length];
}

/** The colour of a run. */
export function runColour(run: number): string {
  return lineColour(colourPlace(run));
}
