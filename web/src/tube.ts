// A beam that bends: rings of its cross-section along a curve.

import { BufferAttribute, BufferGeometry, Mesh, Quaternion, Vector3, type Material } from "three";
import type { Pose } from "./chain";
import type { Link } from "./data";

/** Rings between two points of a beam, and corners of a round one. */
const RINGS = 3;
const CORNERS = 16;

/** A beam: rings of its cross-section along a curve through its points. */
export class Tube {
  readonly mesh: Mesh;
  private readonly outline: { y: number; z: number; ny: number; nz: number }[][];
  private readonly places: Float32Array;
  private readonly normals: Float32Array;
  private readonly rings: number;

  constructor(points: Link["points"], least: number, material: Material) {
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
