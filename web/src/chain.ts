// Puts the chain of links together, as the engine does: the pose of each link on its parent, then
// the points along it, displaced and turned by bending times a factor. What hangs on a point goes
// along.

import { Quaternion, Vector3 } from "three";
import { placeOf, type Arm, type Motion, type Numbers, type Packed, type Row } from "./data";

export interface Pose {
  place: Vector3;
  turn: Quaternion;
}

export interface Shape {
  link: Pose;
  points: Pose[];
}

/** An arm that moves. */
export class Chain {
  readonly times: Float64Array;
  /** The chain of the latest call of `at`. */
  readonly shapes: Shape[];
  private readonly joints: Row[][];
  private readonly bends: Row[][][];
  private readonly rests: Pose[][];
  private readonly scratch = new Quaternion();
  private readonly vector = new Vector3();
  private readonly still: Quaternion[];
  private readonly stillPlaces: Vector3[];
  /** The links that lead to the tip, with the points the next ones hang on. */
  private readonly way: [link: number, point: number | null][] = [];
  private before = 0;
  private after = 0;
  private part = 0;
  private factor = 1;

  /**
   * With `aboutFirst` a factor acts on joints and bending from the first instant on. A rank above
   * zero is that of a ghost.
   */
  constructor(
    readonly arm: Arm,
    motion: Motion,
    numbers: Numbers,
    private readonly aboutFirst = false,
    readonly rank = 0,
  ) {
    const rows = (all: Packed[]) => all.map((one) => numbers.row(one, motion.count));
    this.times = numbers.exact(motion.times, motion.count);
    this.joints = motion.joints.map(rows);
    this.bends = motion.bends.map((points) => points.map(rows));
    this.rests = arm.links.map((link) =>
      link.points.map(({ place, turn: [w, x, y, z] }) => ({
        place: new Vector3(...place),
        turn: new Quaternion(x, y, z, w),
      })),
    );
    const pose = () => ({ place: new Vector3(), turn: new Quaternion() });
    this.shapes = arm.links.map((link) => ({ link: pose(), points: link.points.map(pose) }));
    this.still = this.joints.map(([w, x, y, z]) => new Quaternion(x.at(0), y.at(0), z.at(0), w.at(0)));
    this.stillPlaces = this.joints.map(([, , , , x, y, z]) => new Vector3(x.at(0), y.at(0), z.at(0)));
    let [link, point] = [arm.tip?.link ?? null, arm.tip?.point ?? null];
    while (link !== null) {
      this.way.unshift([link, point]);
      ({ parent: link, on: point } = arm.links[link]);
    }
  }

  /** Whether any link bends. */
  get bendsAtAll(): boolean {
    return this.arm.links.some((link) => link.points.length > 0);
  }

  /** The chain at a time, bending enlarged. */
  at(t: number, factor: number): Shape[] {
    this.look(t, factor);
    this.arm.links.forEach((link, k) => {
      this.place(k);
      for (let p = 0; p < link.points.length; p++) this.bend(k, p);
    });
    return this.shapes;
  }

  /** The end of the arm at a time; of the chain only what leads there is put together. */
  tipAt(t: number, factor: number, out: Vector3): Vector3 | null {
    if (!this.arm.tip) return null;
    this.look(t, factor);
    for (const [k, p] of this.way) {
      this.place(k);
      if (p !== null) this.bend(k, p);
    }
    return this.tip(out);
  }

  /** Chooses the instants around a time. */
  private look(t: number, factor: number): void {
    const times = this.times;
    const a = placeOf(times, t);
    const b = Math.min(a + 1, times.length - 1);
    const span = times[b] - times[a];
    this.before = a;
    this.after = b;
    this.part = span > 0 ? Math.min(Math.max((t - times[a]) / span, 0), 1) : 0;
    this.factor = factor;
  }

  private between(row: Row): number {
    const before = row.at(this.before);
    return before + (row.at(this.after) - before) * this.part;
  }

  /** About the straight link, or about the first instant. */
  private bent(row: Row): number {
    const still = this.aboutFirst ? row.at(0) : 0;
    return still + (this.between(row) - still) * this.factor;
  }

  /** Places a link whose parent is placed. */
  private place(k: number): void {
    const link = this.arm.links[k];
    const pose = this.shapes[k].link;
    const [w, x, y, z, px, py, pz] = this.joints[k];
    pose.turn.set(this.between(x), this.between(y), this.between(z), this.between(w)).normalize();
    pose.place.set(this.between(px), this.between(py), this.between(pz));
    if (this.aboutFirst) this.enlarge(pose, k, this.factor);
    if (link.parent === null) return;
    const parent = this.shapes[link.parent];
    carry(link.on === null ? parent.link : parent.points[link.on], pose);
  }

  /** Places a point of a link that is placed. */
  private bend(k: number, p: number): void {
    const rest = this.rests[k][p];
    const point = this.shapes[k].points[p];
    const [ux, uy, uz, rx, ry, rz] = this.bends[k][p];
    turnBy(this.vector.set(this.bent(rx), this.bent(ry), this.bent(rz)), this.scratch);
    point.turn.copy(this.scratch).multiply(rest.turn);
    point.place.set(this.bent(ux), this.bent(uy), this.bent(uz)).add(rest.place);
    carry(this.shapes[k].link, point);
  }

  /** Where something that goes along with a link is, after `at`. */
  follow(link: number, point: number | null, place: ArrayLike<number>, out: Vector3): Vector3 {
    const pose = point === null ? this.shapes[link].link : this.shapes[link].points[point];
    return out.set(place[0], place[1], place[2]).applyQuaternion(pose.turn).add(pose.place);
  }

  /** The end of the arm, after `at`. */
  tip(out: Vector3): Vector3 | null {
    const tip = this.arm.tip;
    return tip && this.follow(tip.link, tip.point, tip.place, out);
  }

  private enlarge(pose: Pose, k: number, factor: number): void {
    const still = this.still[k];
    const away = this.scratch.copy(still).conjugate().multiply(pose.turn);
    if (away.w < 0) away.set(-away.x, -away.y, -away.z, -away.w);
    const sine = Math.hypot(away.x, away.y, away.z);
    const angle = sine > 1e-9 ? (2 * Math.atan2(sine, away.w) * factor) / sine : 2 * factor;
    turnBy(this.vector.set(away.x, away.y, away.z).multiplyScalar(angle), away);
    pose.turn.copy(still).multiply(away);
    const from = this.stillPlaces[k];
    pose.place.sub(from).multiplyScalar(factor).add(from);
  }
}

/** Takes a pose from its parent's axes to those its parent is given in. */
function carry(parent: Pose, own: Pose): void {
  own.place.applyQuaternion(parent.turn).add(parent.place);
  own.turn.premultiply(parent.turn);
}

/** The turn by a rotation vector. */
function turnBy(vector: Vector3, out: Quaternion): void {
  const angle = vector.length();
  const factor = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
  out.set(vector.x * factor, vector.y * factor, vector.z * factor, Math.cos(angle / 2));
}
