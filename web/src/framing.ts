// How large a motion is, where it is, which way is up, and from where it is looked at.

import { Box3, Vector3 } from "three";
import type { Chain } from "./chain";
import type { Link, Triple } from "./data";
import type { Cast } from "./view";

/** Instants that are looked at for the size of a motion. */
const LOOKED_AT = 60;

/** An arm that reaches further than all its links in one line, by this factor, has diverged. */
const TOO_FAR = 1.5;

export class Framing {
  readonly up = new Vector3(0, 0, 1);
  readonly hasWeight: boolean;
  /** From the centre to the eye, unit length. */
  readonly side = new Vector3(1, -1, 0.5);
  readonly centre = new Vector3();
  readonly radius: number;
  /** Where the ground is, upwards from the origin (m). */
  readonly floor: number;
  /** Where the base of the first arm is, upwards from the origin (m). */
  readonly base: number;
  /** The mean height of all places (m). */
  readonly meanHeight: number;
  private readonly instants: number[][];

  constructor(
    private readonly chains: Chain[],
    { broke }: Cast,
  ) {
    const gravity = new Vector3(...chains[0].arm.gravity);
    this.hasWeight = gravity.length() > 0;
    if (this.hasWeight) this.up.copy(gravity).normalize().negate();
    this.instants = chains.map((chain) => (broke(chain.rank) ? saneInstants(chain) : allInstants(chain)));
    const points = this.reached(1);
    const { centre, radius } = ball(points);
    this.centre.copy(centre);
    this.radius = radius;
    this.findSide(points);
    const heights = points.map((point) => point.dot(this.up));
    const lowest = heights.reduce((a, b) => Math.min(a, b), Infinity);
    this.meanHeight = heights.reduce((sum, x) => sum + x, 0) / heights.length;
    this.base = new Vector3(...chains[0].arm.links[0].joint.inboard).dot(this.up);
    const stands = !this.hasWeight || lowest > this.base - 0.02 * radius;
    this.floor = stands ? Math.min(this.base, 0) : lowest - 0.04 * radius;
  }

  /** A ball around the whole motion, with bending enlarged. */
  ball(factor: number): { centre: Vector3; radius: number } {
    return ball(this.reached(factor));
  }

  /** Two directions of the ground. */
  ground(): [Vector3, Vector3] {
    const east = new Vector3(1, 0, 0);
    if (Math.abs(east.dot(this.up)) > 0.9) east.set(0, 1, 0);
    east.addScaledVector(this.up, -east.dot(this.up)).normalize();
    return [east, new Vector3().crossVectors(this.up, east)];
  }

  /** The distance of the lines on the ground, and how far they reach (m). */
  grid(): { step: number; half: number } {
    const cell = 10 ** Math.floor(Math.log10(this.radius / 2));
    const step = this.radius / cell > 10 ? 2 * cell : cell;
    return { step, half: Math.ceil((1.5 * this.radius) / step) * step };
  }

  /** Places that the arms reach, with bending enlarged. */
  private reached(factor: number): Vector3[] {
    return this.chains.flatMap((chain, k) => this.instants[k].flatMap((t) => placesAt(chain, t, factor)));
  }

  /** Across the direction in which the motion is widest, a little turned, from above. */
  private findSide(points: Vector3[]): void {
    const [east, north] = this.ground();
    let [xx, xy, yy] = [0, 0, 0];
    for (const point of points) {
      const off = point.clone().sub(this.centre);
      const [x, y] = [off.dot(east), off.dot(north)];
      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
    const widest = 0.5 * Math.atan2(2 * xy, xx - yy);
    const angle = widest - Math.PI / 2 + 0.45;
    this.side.copy(east).multiplyScalar(Math.cos(angle)).addScaledVector(north, Math.sin(angle));
    this.side.addScaledVector(this.up, 0.36).normalize();
  }
}

/** Instants that tell how large a motion is. */
function allInstants({ times }: Chain): number[] {
  const last = times.length - 1;
  const count = Math.min(LOOKED_AT, last);
  return Array.from({ length: count + 1 }, (_, k) => times[count > 0 ? Math.round((last * k) / count) : 0]);
}

/** Those until it diverges, at least the first. */
function saneInstants(chain: Chain): number[] {
  const all = allInstants(chain);
  const reach = (t: number) => {
    const places = placesAt(chain, t, 1);
    return places.reduce((most, place) => Math.max(most, place.distanceTo(places[0])), 0);
  };
  const straight = chain.arm.links.reduce((sum, link) => sum + lengthOf(link), 0);
  const limit = TOO_FAR * Math.max(straight, reach(all[0]));
  const end = all.findIndex((t) => reach(t) > limit);
  return end < 0 ? all : all.slice(0, Math.max(end, 1));
}

/** How far a link reaches from its joint when it is straight. */
function lengthOf({ joint, points, bones, boxes, slide }: Link): number {
  const off = (place: Triple) => Math.hypot(...place.map((x, k) => x - joint.origin[k]));
  const ends = [...points.map((point) => off(point.place)), ...bones.map((bone) => off(bone.to)), ...boxes.map((box) => off(box.place) + Math.hypot(...box.size) / 2)];
  return Math.max(0, slide?.length ?? 0, ...ends) + Math.hypot(...joint.inboard);
}

/** Places of an arm at a time, its base first. */
function placesAt(chain: Chain, t: number, factor: number): Vector3[] {
  const points: Vector3[] = [];
  for (const shape of chain.at(t, factor)) {
    for (const pose of [shape.link, ...shape.points]) points.push(pose.place.clone());
  }
  const tip = chain.tip(new Vector3());
  if (tip) points.push(tip);
  chain.arm.links.forEach((link, l) => {
    if (link.slide) points.push(chain.follow(l, 0, [link.slide.least - link.slide.length, 0, 0], new Vector3()));
    for (const bone of link.bones) points.push(chain.follow(l, bone.point, bone.to, new Vector3()));
    for (const box of link.boxes) {
      const half = Math.max(...box.size) / 2;
      const centre = chain.follow(l, null, box.place, new Vector3());
      points.push(centre.clone().addScalar(half), centre.subScalar(half));
    }
  });
  return points;
}

/** A ball around places. */
function ball(points: Vector3[]): { centre: Vector3; radius: number } {
  const centre = new Box3().setFromPoints(points).getCenter(new Vector3());
  const radius = 1.06 * points.reduce((most, point) => Math.max(most, point.distanceTo(centre)), 1e-3);
  return { centre, radius };
}
