// The body of one arm: beams that bend, straight pieces, joints, loads, and the trace of its tip.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Chain, Pose } from "./chain";
import type { Link, Triple } from "./data";
import { colour, ghostColour } from "./theme";
import type { Options } from "./view";

/** Rings between two points of a beam, and corners of a round one. */
const RINGS = 3;
const CORNERS = 16;

/** Places of a trace, at most. */
const TRACED = 12_000;

/** A mass (kg) becomes a ball of steel. */
const STEEL = 7850;

/** One arm. The first is solid, the others are ghosts. */
export class ArmModel {
  readonly object = new Group();
  private readonly materials: Record<"beam" | "solid" | "joint" | "load", MeshStandardMaterial>;
  private readonly frames: { group: Group; link: number; point: number | null }[] = [];
  private readonly beams: { tube: Tube; link: number }[] = [];
  private readonly rails: { mesh: Mesh; link: number }[] = [];
  private readonly past: Line2;
  private readonly path: Line2;
  private readonly straight: Line2[];
  private readonly rank: number;
  private places: number[] = [];
  private count = 0;

  constructor(
    private readonly chain: Chain,
    private readonly size: number,
    private readonly hasTrace: boolean,
  ) {
    this.rank = chain.rank;
    const ghost = this.rank > 0;
    const material = (roughness: number) =>
      new MeshStandardMaterial({
        roughness,
        metalness: 0.15,
        transparent: ghost,
        opacity: ghost ? 0.42 : 1,
        depthWrite: !ghost,
      });
    this.materials = {
      beam: material(0.42),
      solid: material(0.5),
      joint: material(0.38),
      load: material(0.35),
    };
    chain.arm.links.forEach((link, k) => this.build(link, k));
    const line = (width: number, opacity: number) =>
      new Line2(new LineGeometry(), new LineMaterial({ linewidth: width, transparent: true, opacity }));
    this.path = line(1.2, ghost ? 0.25 : 0.38);
    this.past = line(ghost ? 1.4 : 2.6, ghost ? 0.5 : 1);
    this.straight = chain.arm.links.map(() => line(1.2, 0.55));
    for (const one of [this.path, this.past, ...this.straight]) {
      one.frustumCulled = false;
      one.visible = false;
      this.object.add(one);
    }
    this.retrace(1);
  }

  /** Moves all parts to a time. */
  show(t: number, factor: number, options: Options): void {
    const chain = this.chain;
    const bends = chain.bendsAtAll && options.straight && this.rank === 0;
    if (bends) {
      // the chain as it would be without bending
      chain.at(t, 0);
      chain.arm.links.forEach((link, k) => {
        if (link.points.length === 0) return;
        const places = chain.shapes[k].points.flatMap((pose) => pose.place.toArray());
        this.straight[k].geometry.setPositions(places);
      });
    }
    this.straight.forEach((line, k) => {
      line.visible = bends && chain.arm.links[k].points.length > 0;
    });
    const shapes = chain.at(t, factor);
    for (const { group, link, point } of this.frames) {
      const pose = point === null ? shapes[link].link : shapes[link].points[point];
      group.position.copy(pose.place);
      group.quaternion.copy(pose.turn);
    }
    for (const { tube, link } of this.beams) tube.follow(shapes[link].points);
    for (const { mesh, link } of this.rails) this.slide(mesh, link);
    const traced = this.hasTrace && options.trace && this.places.length >= 6;
    this.path.visible = traced;
    const times = chain.times;
    const span = times[times.length - 1] - times[0];
    const part = span > 0 ? Math.min(Math.max((t - times[0]) / span, 0), 1) : 0;
    const shown = Math.floor(part * (this.count - 1));
    this.past.visible = traced && shown > 0;
    this.past.geometry.instanceCount = shown;
  }

  /** The path of the tip, with bending enlarged. */
  retrace(factor: number): void {
    const chain = this.chain;
    const times = chain.times;
    if (!chain.arm.tip || !this.hasTrace || times.length < 2) return;
    this.count = Math.min(TRACED, times.length);
    this.places = [];
    const [first, last] = [times[0], times[times.length - 1]];
    const tip = new Vector3();
    for (let k = 0; k < this.count; k++) {
      chain.tipAt(first + ((last - first) * k) / (this.count - 1), factor, tip);
      this.places.push(tip.x, tip.y, tip.z);
    }
    this.path.geometry.setPositions(this.places);
    this.past.geometry.setPositions(this.places);
  }

  /** Takes the colours of the theme. */
  paint(): void {
    const ghost = this.rank > 0 ? ghostColour(this.rank) : null;
    for (const [name, material] of Object.entries(this.materials)) {
      material.color = new Color(ghost ?? colour(name));
    }
    const trace = new Color(ghost ?? colour("trace"));
    (this.past.material as LineMaterial).color = trace;
    (this.path.material as LineMaterial).color = trace;
    for (const line of this.straight) (line.material as LineMaterial).color = new Color(colour("straight"));
  }

  private build(link: Link, k: number): void {
    const depth = this.depth(k);
    const thick = this.size * Math.max(0.034 * 0.88 ** depth, 0.018);
    const thin = this.size * 0.011;
    const bends = link.points.length > 0;
    if (bends) {
      const tube = new Tube(link.points, thin, this.materials.beam);
      this.beams.push({ tube, link: k });
      this.object.add(tube.mesh);
    }
    const size = link.points[0]?.size;
    const radius = bends ? Math.max(thin, size ? Math.max(...size) / 2 : 0) : thick;
    for (const bone of link.bones) {
      const group = this.frame(k, bone.point);
      const wide = bends ? 0.9 * radius : 0.8 * thick;
      const stops = [bone.from, ...(bone.via ? [bone.via] : []), bone.to];
      for (let s = 0; s + 1 < stops.length; s++) group.add(this.rod(stops[s], stops[s + 1], wide));
      for (const stop of stops.slice(1)) group.add(this.ball(stop, wide, "solid"));
    }
    for (const load of link.loads) {
      const steel = Math.cbrt((3 * load.mass) / (4 * Math.PI * STEEL));
      const wide = Math.min(Math.max(steel, 1.9 * radius, 0.02 * this.size), 0.09 * this.size);
      this.frame(k, load.point).add(this.ball(load.place, wide, "load"));
    }
    for (const { place, size } of link.boxes) {
      const limit = (x: number) => Math.min(Math.max(x, 0.012 * this.size), 0.7 * this.size);
      const box = new BoxGeometry(limit(size[0]), limit(size[1]), limit(size[2]));
      this.frame(k, null).add(this.mesh(box, "solid", place));
    }
    this.joint(link, k, Math.max(1.25 * radius, 0.017 * this.size));
  }

  private joint(link: Link, k: number, wide: number): void {
    const { kind, origin, axes } = link.joint;
    const group = this.frame(k, null);
    const along = (mesh: Mesh, axis: Triple) => {
      mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...axis));
      group.add(mesh);
    };
    const slides = kind === "prismatic" || kind === "cylindrical";
    if (kind === "prismatic" || kind === "planar") {
      along(this.mesh(new BoxGeometry(2.1 * wide, 3 * wide, 2.1 * wide), "joint", origin), axes[0]);
    } else if (axes.length > 0) {
      const turning = new CylinderGeometry(wide, wide, 2.9 * wide, 28);
      for (const axis of axes) along(this.mesh(turning, "joint", origin), axis);
    } else if (kind === "spherical") {
      group.add(this.ball(origin, 1.25 * wide, "joint"));
    }
    if (slides) {
      const rail = this.mesh(new CylinderGeometry(1, 1, 1, 20), "solid", [0, 0, 0]);
      rail.scale.set(0.62 * wide, 1, 0.62 * wide);
      this.object.add(rail);
      this.rails.push({ mesh: rail, link: k });
    }
    if (link.parent === null && kind !== "free" && kind !== "planar") {
      const plate = this.mesh(new CylinderGeometry(2.1 * wide, 2.4 * wide, 0.7 * wide, 36), "joint", link.joint.inboard);
      const gravity = new Vector3(...this.chain.arm.gravity);
      const down = gravity.length() > 0 ? gravity.normalize() : new Vector3(0, 0, -1);
      plate.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), down.clone().negate());
      plate.position.addScaledVector(down, 1.2 * wide);
      this.object.add(plate);
    }
  }

  /** From where a sliding joint starts to where it is. */
  private slide(mesh: Mesh, k: number): void {
    const { parent, on, joint } = this.chain.arm.links[k];
    const from = new Vector3(...joint.inboard);
    if (parent !== null) this.chain.follow(parent, on, joint.inboard, from);
    const to = this.chain.follow(k, null, joint.origin, new Vector3());
    const way = to.clone().sub(from);
    const length = way.length();
    mesh.visible = length > 1e-6;
    mesh.position.copy(from).add(to).multiplyScalar(0.5);
    mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), way.normalize());
    mesh.scale.y = Math.max(length, 1e-6);
  }

  /** A group that goes along with a link or a point of it. */
  private frame(link: number, point: number | null): Group {
    let found = this.frames.find((one) => one.link === link && one.point === point);
    if (!found) {
      found = { group: new Group(), link, point };
      this.frames.push(found);
      this.object.add(found.group);
    }
    return found.group;
  }

  private depth(k: number): number {
    let depth = 0;
    for (let at: number | null = k; at !== null; at = this.chain.arm.links[at].parent) depth++;
    return depth - 1;
  }

  private mesh(geometry: BufferGeometry, kind: keyof ArmModel["materials"], place: Triple): Mesh {
    const mesh = new Mesh(geometry, this.materials[kind]);
    mesh.castShadow = this.rank === 0;
    mesh.receiveShadow = this.rank === 0;
    mesh.position.set(...place);
    return mesh;
  }

  private ball(place: Triple, radius: number, kind: "solid" | "load" | "joint"): Mesh {
    return this.mesh(new SphereGeometry(radius, 28, 20), kind, place);
  }

  private rod(from: Triple, to: Triple, radius: number): Mesh {
    const [a, b] = [new Vector3(...from), new Vector3(...to)];
    const rod = this.mesh(new CylinderGeometry(radius, radius, a.distanceTo(b), 28), "solid", [0, 0, 0]);
    rod.position.copy(a).add(b).multiplyScalar(0.5);
    rod.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), b.sub(a).normalize());
    return rod;
  }
}

/** A beam: rings of its cross-section along a curve through its points. */
class Tube {
  readonly mesh: Mesh;
  private readonly outline: { y: number; z: number; ny: number; nz: number }[][];
  private readonly places: Float32Array;
  private readonly normals: Float32Array;
  private readonly rings: number;

  constructor(points: Link["points"], least: number, material: MeshStandardMaterial) {
    this.rings = (points.length - 1) * RINGS + 1;
    const at = (ring: number) => {
      const x = ring / RINGS;
      const a = Math.min(Math.floor(x), points.length - 1);
      const b = Math.min(a + 1, points.length - 1);
      const mix = (k: 0 | 1) => {
        const [p, q] = [points[a].size?.[k] ?? 0, points[b].size?.[k] ?? 0];
        return Math.max(0.5 * (p + (q - p) * (x - a)), least * 0.5);
      };
      let [h, w] = [mix(0), mix(1)];
      // what would be too thin to see grows as a whole
      const grow = Math.max(1, least / Math.max(h, w));
      [h, w] = [h * grow, w * grow];
      return points[a].round ? round(h, w) : rectangle(h, w);
    };
    this.outline = Array.from({ length: this.rings }, (_, ring) => at(ring));
    const corners = this.outline[0].length;
    const count = (this.rings + 2) * corners;
    this.places = new Float32Array(3 * count);
    this.normals = new Float32Array(3 * count);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.places, 3));
    geometry.setAttribute("normal", new BufferAttribute(this.normals, 3));
    const faces: number[] = [];
    const paired = !points[0].round;
    for (let ring = 0; ring + 1 < this.rings; ring++) {
      for (let c = 0; c < corners; c++) {
        // the corners of a rectangle come in pairs, with a face behind each second one
        if (paired && c % 2 === 1) continue;
        const next = (c + 1) % corners;
        const [a, b] = [ring * corners + c, ring * corners + next];
        faces.push(a, b, a + corners, b, b + corners, a + corners);
      }
    }
    for (const [cap, turned] of [[this.rings, false], [this.rings + 1, true]] as const) {
      for (let c = 1; c + 1 < corners; c++) {
        const [a, b, d] = [cap * corners, cap * corners + c, cap * corners + c + 1];
        faces.push(a, ...(turned ? [b, d] : [d, b]));
      }
    }
    geometry.setIndex(faces);
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = !material.transparent;
  }

  /** Takes the shape of the points. */
  follow(points: Pose[]): void {
    const place = new Vector3();
    const turn = new Quaternion();
    for (let ring = 0; ring < this.rings; ring++) {
      between(points, ring / RINGS, place, turn);
      this.ring(ring, this.outline[ring], place, turn, null);
    }
    const last = this.rings - 1;
    between(points, 0, place, turn);
    this.ring(this.rings, this.outline[0], place, turn, -1);
    between(points, points.length - 1, place, turn);
    this.ring(this.rings + 1, this.outline[last], place, turn, 1);
    this.mesh.geometry.attributes.position.needsUpdate = true;
    this.mesh.geometry.attributes.normal.needsUpdate = true;
  }

  private ring(at: number, outline: Tube["outline"][number], place: Vector3, turn: Quaternion, cap: number | null): void {
    const v = new Vector3();
    outline.forEach(({ y, z, ny, nz }, c) => {
      const to = 3 * (at * outline.length + c);
      v.set(0, y, z).applyQuaternion(turn).add(place).toArray(this.places, to);
      if (cap === null) v.set(0, ny, nz);
      else v.set(cap, 0, 0);
      v.applyQuaternion(turn).toArray(this.normals, to);
    });
  }
}

function round(h: number, w: number): Tube["outline"][number] {
  return Array.from({ length: CORNERS }, (_, c) => {
    const angle = (2 * Math.PI * c) / CORNERS;
    const [y, z] = [Math.cos(angle), Math.sin(angle)];
    return { y: h * y, z: w * z, ny: y, nz: z };
  });
}

function rectangle(h: number, w: number): Tube["outline"][number] {
  const faces: [number, number, number, number, number, number][] = [
    [h, -w, h, w, 1, 0],
    [h, w, -h, w, 0, 1],
    [-h, w, -h, -w, -1, 0],
    [-h, -w, h, -w, 0, -1],
  ];
  return faces.flatMap(([y, z, y2, z2, ny, nz]) => [
    { y, z, ny, nz },
    { y: y2, z: z2, ny, nz },
  ]);
}

/** A smooth curve through points, and the turn between two of them. */
function between(points: Pose[], x: number, place: Vector3, turn: Quaternion): void {
  const last = points.length - 1;
  const k = Math.min(Math.floor(x), last);
  const part = x - k;
  const [a, b, c, d] = [k - 1, k, k + 1, k + 2].map((i) => points[Math.min(Math.max(i, 0), last)].place);
  const [s, s2, s3] = [part, part * part, part ** 3];
  place
    .set(0, 0, 0)
    .addScaledVector(a, 0.5 * (-s + 2 * s2 - s3))
    .addScaledVector(b, 0.5 * (2 - 5 * s2 + 3 * s3))
    .addScaledVector(c, 0.5 * (s + 4 * s2 - 3 * s3))
    .addScaledVector(d, 0.5 * (-s2 + s3));
  turn.copy(points[k].turn).slerp(points[Math.min(k + 1, last)].turn, part);
}
