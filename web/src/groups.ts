// Which channels are drawn together, and under which titles.

import type { Channel } from "./data";

/** Channels of one plot, at most. */
const MOST_CHANNELS = 8;

const MOTIONS = ["position", "velocity", "acceleration"];
const ENERGIES = ["kinetic-energy", "potential-energy", "elastic-energy", "total-energy", "work", "energy-drift"];
/** Quantities of bending links, and their titles. */
const BENT: Record<string, string> = { deflection: "deflection", slope: "slope" };
const LOADS: Record<string, string> = {
  "bending-moment": "Bending moments",
  "shear-force": "Shear forces",
  torsion: "Torques along links",
  stress: "Stresses",
  margin: "Margins of strength",
};
const NOT_BENDING = ["joint", "motor", "length"];

const GROUPS: [string, string][] = [
  ["joint", "Joints"],
  ["error", "Errors"],
  ["bending", "Bending"],
  ["tip", "Tip"],
  ["force", "Torques"],
  ["load", "Loads"],
  ["energy", "Energies"],
  ["sensor", "Sensors"],
  ["other", "Others"],
];

const OTHERS: Record<string, string> = {
  sensor: "Sensors",
  command: "Commands",
  telemetry: "Telemetry",
  estimate: "Estimates",
  reference: "References",
  "mass-matrix": "Mass matrix",
};

export interface PlotPlan {
  title: string;
  unit: string;
  /** The same kind of thing in the same unit. */
  channels: Channel[];
  /** What is planned for them, where it is known. */
  planned: (Channel | undefined)[];
}

export interface GroupPlan {
  key: string;
  title: string;
  plots: PlotPlan[];
}

/** The group of plots that a channel is drawn in, by what it is. */
export function groupOf({ name, role, coordinate }: Channel): string {
  if (role === "error" || name.endsWith(".error")) return "error";
  if (MOTIONS.includes(role)) return NOT_BENDING.includes(coordinate ?? "joint") ? "joint" : "bending";
  if (role in BENT) return "bending";
  if (role in LOADS) return "load";
  if (role === "force" || role === "sensor") return role;
  if (role.startsWith("frame-")) return "tip";
  return ENERGIES.includes(role) || role.endsWith("momentum") ? "energy" : "other";
}

/** The name of what is planned for a channel. */
export function plannedName(name: string): string {
  return `plan.${name}`;
}

/** What can be measured comes before coordinates, and the distance of a frame from its plan before all other errors. */
function isFirst({ name, role }: Channel): boolean {
  return role in BENT || (role === "error" && name.endsWith(".error.distance"));
}

/** All plots: several channels in each, or one where several runs share it. */
export function plan(channels: Channel[], isShared: boolean): GroupPlan[] {
  const byName = new Map(channels.map((one) => [one.name, one]));
  const plannedFor = (one: Channel) => byName.get(plannedName(one.name));
  const overlaid = new Set(channels.map(plannedFor));
  const most = isShared ? 1 : MOST_CHANNELS;
  const groups: GroupPlan[] = [];
  for (const [key, title] of GROUPS) {
    const plots = new Map<string, Channel[]>();
    const own = channels.filter((one) => groupOf(one) === key && !overlaid.has(one));
    for (const channel of [...own.filter(isFirst), ...own.filter((one) => !isFirst(one))]) {
      const id = `${titleOf(channel)}|${channel.unit}`;
      plots.set(id, [...(plots.get(id) ?? []), channel]);
    }
    const split = [...plots.values()].flatMap((all) => {
      const parts: PlotPlan[] = [];
      for (let k = 0; k < all.length; k += most) {
        const own = all.slice(k, k + most);
        const name = isShared ? own[0].name : titleOf(own[0]);
        parts.push({ title: name, unit: own[0].unit, channels: own, planned: own.map(plannedFor) });
      }
      return parts;
    });
    if (split.length > 0) groups.push({ key, title, plots: split });
  }
  return groups;
}

/** What a channel is one of. */
export function titleOf(channel: Channel): string {
  const { name, unit, role, subject } = channel;
  const turns = unit.startsWith("rad");
  switch (groupOf(channel)) {
    case "joint":
      if (role === "velocity") return "Joint velocities";
      if (role === "acceleration") return "Joint accelerations";
      return turns ? "Joint angles" : unit === "m" ? "Joint positions" : "Joint orientations";
    case "error":
      return "Errors against the plan";
    case "bending": {
      if (role in BENT) return `${subject ?? name}, ${BENT[role]}`;
      const what = role === "velocity" ? ", rate" : role === "acceleration" ? ", acceleration" : "";
      return `Bending of ${subject ?? name}${what}`;
    }
    case "tip": {
      const kinds: Record<string, string> = { "frame-orientation": "quaternion", "frame-angular-velocity": "angular velocity" };
      return `${subject ?? name}, ${kinds[role] ?? role.slice("frame-".length)}`;
    }
    case "force":
      return unit === "N" ? "Forces" : unit === "N m" ? "Torques" : "Generalised forces";
    case "load":
      return LOADS[role];
    case "energy":
      if (role === "energy-drift") return "Energy drift";
      if (role === "angular-momentum") return "Angular momentum";
      return role === "momentum" ? "Momentum" : "Energies and works";
    default:
      return OTHERS[role] ?? "Others";
  }
}
