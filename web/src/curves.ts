// The lines of a plot.

import type { Channel } from "./data";
import type { Curve } from "./export";
import type { PlotPlan } from "./groups";
import { plannedName } from "./groups";
import { colourPlace, type Runs } from "./runs";

/** The dashes of what is planned. */
const PLANNED = [7, 5];

/** The colour of what belongs to no channel or run alone. */
export const NEUTRAL = -1;

/**
 * The lines of channels, of all runs that have them, with what is planned dashed over them. One
 * run is coloured by channel, several by run.
 */
export function curvesOf(runs: Runs, { channels, planned }: Pick<PlotPlan, "channels" | "planned">): Curve[] {
  const curve = (channel: Channel, run: number, colour: number, key: number, dash: number[]): Curve => {
    const values = runs.values(channel, run);
    const name = runs.compares ? `${channel.name} (${runs.all[run].name})` : channel.name;
    const isHeld = dash.length === 0 && holds(values);
    return { name, unit: channel.unit, run, colour, key, dash, isHeld, step: (k) => runs.stepAt(channel, k), times: runs.times[run], values };
  };
  return channels.flatMap((channel, k) => {
    const all = runs.all.flatMap((_, r) => {
      const same = runs.find(r, channel.name);
      return same ? [curve(same, r, runs.compares ? colourPlace(r) : k, k, [])] : [];
    });
    if (!planned[k]) return all;
    const plans = runs.all.flatMap((_, r) => {
      const same = runs.find(r, plannedName(channel.name));
      return same ? [curve(same, r, runs.compares ? colourPlace(r) : k, k, PLANNED)] : [];
    });
    return [...all, ...(areSame(plans) ? [{ ...plans[0], colour: runs.compares ? NEUTRAL : k, name: planned[k].name }] : plans)];
  });
}

/** Whether lines lie on one another, as far as their numbers are known. */
function areSame(lines: Curve[]): boolean {
  const [first] = lines;
  return lines.every(({ times, values, step }) => {
    if (values.length !== first.values.length) return false;
    const apart = (k: number) => Math.abs(values[k] - first.values[k]) > step(k) + first.step(k);
    return !values.some((_, k) => times[k] !== first.times[k] || apart(k));
  });
}

/** Whether numbers are held between changes, as those of sampled blocks: half of the changes are two rows apart or more. */
function holds(values: Float64Array): boolean {
  let [changes, held, last] = [0, 0, 0];
  for (let k = 1; k < values.length; k++) {
    if (values[k] === values[k - 1] || Number.isNaN(values[k])) continue;
    if (changes > 0 && k - last >= 2) held++;
    changes++;
    last = k;
  }
  return changes > 2 && held > 0.5 * (changes - 1);
}
