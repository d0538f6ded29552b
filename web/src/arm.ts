// The body of one arm: beams that bend, straight pieces, joints, loads, and the trace of its tip.

import { BoxGeometry, BufferGeometry, Color, CylinderGeometry, Group, Mesh, MeshStandardMaterial, SphereGeometry, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Chain } from "./chain";
import type { Link, Triple } from "./data";
import { runColour } from "./runs";
import { colour } from "./theme";
import { Tube } from "./tube";
import type { Cast, Options } from "./view";

/** Places of a trace, at most. */
const TRACED = 12_000;

/** A mass (kg) becomes a ball of steel. */
const STEEL = 7850;

/** One arm. The first is solid, the others are ghosts. */
export class ArmModel {
  readonly object = new Group();
  private readonly materials: Record<"beam" | "hub" | "slide" | "solid" | "joint" | "load", MeshStandardMaterial>;
  private readonly frames: { group: Group; link: number; point: number | null }[] = [];
  private readonly beams: { tube: Tube; link: number }[] = [];
  private readonly rails: { mesh: Mesh; link: number }[] = [];
  /** The parts of sliding beams that are inside their hubs. */
  private readonly inside: { mesh: Mesh; link: number; length: number }[] = [];
  private readonly past: Line2;
  private readonly path: Line2;
  private readonly straight: Line2[];
  private readonly rank: number;
  private places: number[] = [];
  private count = 0;

  constructor(
    private readonly chain: Chain,
    private readonly size: number,
    private readonly cast: Cast,
  ) {
    this.rank = chain.rank;
    const ghost = this.rank > 0;
    const material = (roughness: number) =>
      new MeshStandardMaterial({
        roughness,
        metalness: 0.15,
        transparent: ghost,
        opacity: ghost ? 0.5 : 1,
        // where arms coincide, the first is seen, and no ghost colours it
        polygonOffset: ghost,
        polygonOffsetFactor: 2 * this.rank,
        polygonOffsetUnits: 8 * this.rank,
      });
    this.materials = {
      beam: material(0.42),
      hub: material(0.42),
      slide: material(0.42),
      solid: material(0.5),
      joint: material(0.38),
      load: material(0.35),
    };
    // what slides is seen inside
    Object.assign(this.materials.hub, { transparent: true, opacity: 0.4, depthWrite: false });
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
    for (const { mesh, link, length } of this.inside) this.pull(mesh, link, length);
    const traced = !this.cast.isLooping && options.trace && this.places.length >= 6;
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
    if (!chain.arm.tip || this.cast.isLooping || times.length < 2) return;
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
    const own = this.cast.isCompared ? runColour(this.rank) : null;
    const isGhost = this.rank > 0;
    for (const [name, material] of Object.entries(this.materials)) {
      const isBeam = name === "beam" || name === "hub";
      material.color = new Color(own && (isGhost || isBeam) ? own : colour(name === "hub" ? "beam" : name));
    }
    const trace = new Color(own ?? colour("trace"));
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
      const { links } = this.chain.arm;
      const isHub = links.some((other) => other.slide && other.parent === k && other.on === link.points.length - 1);
      const tube = new Tube(link.points, thin, this.materials[link.slide ? "slide" : isHub ? "hub" : "beam"]);
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
    if (link.slide) this.hub(link, k, radius);
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

  /** The part of a sliding beam inside its hub, the mouth of the hub, and a hub where nothing else is one. */
  private hub({ points, parent, slide }: Link, k: number, radius: number): void {
    if (!slide) return;
    const { size, round } = points[0];
    const [height, width] = size && Math.max(...size) >= 2 * radius ? size : [2 * radius, 2 * radius];
    const part = (grow: number, length: number, kind: "slide" | "hub" | "joint") => {
      const shape = round
        ? new CylinderGeometry(grow * radius, grow * radius, length, 24).rotateZ(Math.PI / 2)
        : new BoxGeometry(length, grow * height, grow * width);
      const mesh = this.mesh(shape, kind, [-length / 2, 0, 0]);
      this.frame(k, 0).add(mesh);
      return mesh;
    };
    this.inside.push({ mesh: part(1, 1, "slide"), link: k, length: slide.length });
    part(1.5, 1.6 * radius, "joint");
    const isHeld = parent !== null && this.chain.arm.links[parent].points.length > 0;
    if (!isHeld) part(1.35, slide.length - slide.least, "hub").castShadow = false;
  }

  /** As long as what is not outside. */
  private pull(mesh: Mesh, k: number, length: number): void {
    const { points } = this.chain.shapes[k];
    let outside = 0;
    for (let p = 0; p + 1 < points.length; p++) outside += points[p].place.distanceTo(points[p + 1].place);
    const inside = Math.max(length - outside, 1e-6);
    mesh.scale.x = inside;
    mesh.position.x = -inside / 2;
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
