// The view of the arm: light, ground, camera, traces, and the arms of one or several runs.

import {
  AmbientLight,
  ArrowHelper,
  Box3,
  CanvasTexture,
  Color,
  CylinderGeometry,
  DirectionalLight,
  HemisphereLight,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Scene,
  ShadowMaterial,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { ArmModel } from "./arm";
import type { Chain } from "./chain";
import { colour, onTheme, theme } from "./theme";

/** Instants that are looked at for the size of a motion. */
const LOOKED_AT = 60;

export interface Options {
  trace: boolean;
  straight: boolean;
  ghosts: boolean;
}

export class View {
  readonly canvas: HTMLCanvasElement;
  readonly options: Options = { trace: true, straight: true, ghosts: true };
  factor = 1;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(32, 1, 0.01, 1000);
  private readonly orbit: OrbitControls;
  private readonly models: ArmModel[] = [];
  private readonly sun = new DirectionalLight(0xffffff, 2.4);
  private readonly corner = new Corner();
  private readonly up = new Vector3(0, 0, 1);
  private readonly centre = new Vector3();
  private radius = 1;
  private grid: LineSegments2 | null = null;
  private post: Mesh<CylinderGeometry, MeshStandardMaterial> | null = null;
  private t = 0;
  private width = 0;
  private height = 0;
  private stale = true;
  /** Whether a hand has moved the camera: then it stays where it is. */
  private isMoved = false;

  constructor(place: HTMLElement, private readonly chains: Chain[], isLooping = false) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.canvas = this.renderer.domElement;
    this.canvas.id = "view";
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "the arm at the current time");
    place.append(this.canvas);
    this.orbit = new OrbitControls(this.camera, this.canvas);
    this.orbit.addEventListener("change", () => (this.stale = true));
    this.orbit.addEventListener("start", () => (this.isMoved = true));
    this.measure();
    this.light();
    chains.forEach((chain) => {
      const model = new ArmModel(chain, this.radius, !isLooping);
      this.models.push(model);
      this.scene.add(model.object);
    });
    this.reset();
    this.paint();
    onTheme(() => this.paint());
    new ResizeObserver(() => this.resize(place)).observe(place);
    this.resize(place);
  }

  /** Shows another motion of the first arm. */
  replace(chain: Chain): void {
    this.scene.remove(this.models[0].object);
    this.models[0] = new ArmModel(chain, this.radius, false);
    this.scene.add(this.models[0].object);
    this.paint();
  }

  /** Moves the arms to a time; they are drawn with the next frame. */
  show(t: number): void {
    this.t = t;
    this.stale = true;
  }

  /** Enlarges bending. */
  enlarge(factor: number): void {
    this.factor = factor;
    for (const model of this.models) model.retrace(factor);
    if (!this.isMoved) this.reset();
    this.stale = true;
  }

  /** Draws if something has changed. */
  draw(): void {
    this.orbit.update();
    if (!this.stale) return;
    this.stale = false;
    this.models.forEach((model, k) => {
      model.object.visible = k === 0 || this.options.ghosts;
      model.show(this.t, this.factor, this.options);
    });
    this.renderer.setScissorTest(false);
    const { width, height } = this.size();
    this.renderer.setViewport(0, 0, width, height);
    this.renderer.autoClear = true;
    this.renderer.render(this.scene, this.camera);
    this.corner.draw(this.renderer, this.camera, height);
  }

  changed(): void {
    this.stale = true;
  }

  /** The end of the first arm, as it is drawn. */
  tip(t: number, factor: number): Vector3 | null {
    return this.chains[0].tipAt(t, factor, new Vector3());
  }

  /** Looks at the whole motion, enlarged as it is, from the side on which it is widest. */
  reset(): void {
    this.isMoved = false;
    const { centre, radius } = ball(this.reached(this.factor));
    this.shine(centre, radius);
    const away = radius / Math.sin((this.camera.fov * Math.PI) / 360);
    this.camera.up.copy(this.up);
    this.camera.position.copy(this.side).multiplyScalar(away * 1.04).add(centre);
    this.camera.near = away / 100;
    this.camera.far = away * 20;
    this.camera.updateProjectionMatrix();
    this.orbit.target.copy(centre);
    this.orbit.minDistance = radius / 50;
    this.orbit.maxDistance = away * 6;
    this.orbit.update();
    this.stale = true;
  }

  private readonly side = new Vector3(1, -1, 0.5);

  /** How large the motion is, where it is, and which way is up. */
  private measure(): void {
    const [first] = this.chains;
    const gravity = new Vector3(...first.arm.gravity);
    if (gravity.length() > 0) this.up.copy(gravity).normalize().negate();
    const points = this.reached(1);
    const { centre, radius } = ball(points);
    this.centre.copy(centre);
    this.radius = radius;
    this.findSide(points);
    this.layGround(points, gravity.length() > 0);
    this.corner.setGravity(gravity);
  }

  /** Places that the arms reach, with bending enlarged. */
  private reached(factor: number): Vector3[] {
    const points: Vector3[] = [];
    for (const chain of this.chains) {
      const last = chain.times.length - 1;
      for (let k = 0; k <= LOOKED_AT; k++) {
        const t = chain.times[Math.round((last * k) / LOOKED_AT)];
        for (const shape of chain.at(t, factor)) {
          for (const pose of [shape.link, ...shape.points]) points.push(pose.place.clone());
        }
        const tip = chain.tip(new Vector3());
        if (tip) points.push(tip);
        chain.arm.links.forEach((link, l) => {
          for (const bone of link.bones) {
            points.push(chain.follow(l, bone.point, bone.to, new Vector3()));
          }
          for (const box of link.boxes) {
            const half = Math.max(...box.size) / 2;
            const centre = chain.follow(l, null, box.place, new Vector3());
            points.push(centre.clone().addScalar(half), centre.subScalar(half));
          }
        });
      }
    }
    return points;
  }

  /** Across the direction in which the motion is widest, a little turned, from above. */
  private findSide(points: Vector3[]): void {
    const east = new Vector3(1, 0, 0);
    if (Math.abs(east.dot(this.up)) > 0.9) east.set(0, 1, 0);
    east.addScaledVector(this.up, -east.dot(this.up)).normalize();
    const north = new Vector3().crossVectors(this.up, east);
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

  private layGround(points: Vector3[], hasWeight: boolean): void {
    const heights = points.map((point) => point.dot(this.up));
    const lowest = heights.reduce((a, b) => Math.min(a, b), Infinity);
    const base = new Vector3(...this.chains[0].arm.links[0].joint.inboard).dot(this.up);
    const floor = !hasWeight || lowest > base - 0.02 * this.radius ? Math.min(base, 0) : lowest - 0.04 * this.radius;
    const cell = 10 ** Math.floor(Math.log10(this.radius / 2));
    const step = this.radius / cell > 10 ? 2 * cell : cell;
    const half = Math.ceil((1.5 * this.radius) / step) * step;
    const foot = this.centre.clone();
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), this.up);
    const back = turn.clone().conjugate();
    const local = foot.applyQuaternion(back);
    const round = (x: number) => Math.round(x / step) * step;
    const ends: number[] = [];
    for (let x = -half; x <= half + step / 2; x += step) {
      ends.push(x, -half, 0, x, half, 0, -half, x, 0, half, x, 0);
    }
    const geometry = new LineSegmentsGeometry().setPositions(ends);
    this.grid = new LineSegments2(geometry, new LineMaterial({ linewidth: 1 }));
    const pose = new Matrix4().compose(
      new Vector3(round(local.x), round(local.y), floor).applyQuaternion(turn),
      turn,
      new Vector3(1, 1, 1),
    );
    this.grid.applyMatrix4(pose);
    const plane = new Mesh(new PlaneGeometry(2 * half, 2 * half), new ShadowMaterial({ opacity: 0.16 }));
    plane.applyMatrix4(pose);
    plane.receiveShadow = true;
    this.scene.add(this.grid, plane);
    // an arm that stands higher than its base is on a post
    const mean = heights.reduce((sum, x) => sum + x, 0) / heights.length;
    if (hasWeight && mean > base && base - floor > 0.05 * this.radius) {
      const wide = 0.021 * this.radius;
      this.post = new Mesh(new CylinderGeometry(wide, wide, base - floor, 28), new MeshStandardMaterial({ roughness: 0.6 }));
      this.post.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.up);
      this.post.position.set(...this.chains[0].arm.links[0].joint.inboard);
      this.post.position.addScaledVector(this.up, (floor - base) / 2);
      this.post.castShadow = true;
      this.scene.add(this.post);
    }
  }

  private light(): void {
    this.scene.add(new AmbientLight(0xffffff, 0.7), new HemisphereLight(0xffffff, 0xaab4be, 1.3));
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.sun.shadow.bias = -0.0005;
    this.scene.add(this.sun, this.sun.target);
  }

  /** Lets the sun shine on a ball. */
  private shine(centre: Vector3, radius: number): void {
    const across = new Vector3().crossVectors(this.up, this.side).normalize();
    this.sun.position
      .copy(centre)
      .addScaledVector(this.up, 2.3 * radius)
      .addScaledVector(this.side, 2.4 * radius)
      .addScaledVector(across, -1.5 * radius);
    this.sun.target.position.copy(centre);
    this.sun.shadow.normalBias = 0.002 * radius;
    const box = this.sun.shadow.camera;
    box.left = box.bottom = -1.6 * radius;
    box.right = box.top = 1.6 * radius;
    box.near = 0.1 * radius;
    box.far = 9 * radius;
    box.updateProjectionMatrix();
  }

  /** Takes the colours of the theme. */
  private paint(): void {
    this.scene.background = new Color(colour("view"));
    this.post?.material.color.set(colour("solid"));
    if (this.grid) (this.grid.material as LineMaterial).color = new Color(colour("grid"));
    this.sun.intensity = theme() === "dark" ? 2.0 : 2.4;
    for (const model of this.models) model.paint();
    this.corner.paint();
    this.stale = true;
  }

  private size(): { width: number; height: number } {
    return { width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 };
  }

  private resize(place: HTMLElement): void {
    const width = Math.max(place.clientWidth, 1);
    const height = Math.max(place.clientHeight, 1);
    if (width === this.width && height === this.height) return;
    [this.width, this.height] = [width, height];
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    // a narrow window must not cut the sides off
    this.camera.fov = width < height ? Math.min(75, (32 * height) / width) : 32;
    this.camera.updateProjectionMatrix();
    this.stale = true;
  }
}

/** A ball around places. */
function ball(points: Vector3[]): { centre: Vector3; radius: number } {
  const centre = new Box3().setFromPoints(points).getCenter(new Vector3());
  const radius = 1.06 * points.reduce((most, point) => Math.max(most, point.distanceTo(centre)), 1e-3);
  return { centre, radius };
}

/** The axes of the world and gravity, in a corner. */
class Corner {
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(30, 1, 0.1, 20);
  private readonly arrows: ArrowHelper[] = [];
  private readonly letters: Sprite[] = [];
  private readonly gravity = new ArrowHelper(new Vector3(0, 0, -1), new Vector3(), 0.9, 0x888888, 0.24, 0.13);
  private hasGravity = false;

  constructor() {
    const axes: [string, Vector3][] = [
      ["x", new Vector3(1, 0, 0)],
      ["y", new Vector3(0, 1, 0)],
      ["z", new Vector3(0, 0, 1)],
    ];
    for (const [letter, axis] of axes) {
      const arrow = new ArrowHelper(axis, new Vector3(), 1, 0xffffff, 0.28, 0.15);
      this.arrows.push(arrow);
      this.letter(letter, axis.clone().multiplyScalar(1.27));
      this.scene.add(arrow);
    }
    this.scene.add(this.gravity);
  }

  setGravity(gravity: Vector3): void {
    this.hasGravity = gravity.length() > 0;
    this.gravity.visible = this.hasGravity;
    if (!this.hasGravity) return;
    const down = gravity.clone().normalize();
    this.gravity.setDirection(down);
    this.letter("g", down.clone().multiplyScalar(1.2));
  }

  private letter(letter: string, at: Vector3): void {
    const sprite = new Sprite(new SpriteMaterial({ transparent: true, depthTest: false }));
    sprite.position.copy(at);
    sprite.scale.setScalar(0.5);
    sprite.userData.letter = letter;
    this.letters.push(sprite);
    this.scene.add(sprite);
  }

  paint(): void {
    const names = ["axis-x", "axis-y", "axis-z"];
    this.arrows.forEach((arrow, k) => arrow.setColor(new Color(colour(names[k]))));
    this.gravity.setColor(new Color(colour("muted")));
    for (const sprite of this.letters) {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 64;
      const pen = canvas.getContext("2d");
      if (!pen) continue;
      const letter = sprite.userData.letter as string;
      const at = "xyz".indexOf(letter);
      pen.font = "600 44px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillStyle = at < 0 ? colour("muted") : colour(names[at]);
      pen.fillText(letter, 32, 32);
      sprite.material.map?.dispose();
      sprite.material.map = new CanvasTexture(canvas);
      sprite.material.map.colorSpace = SRGBColorSpace;
      sprite.material.needsUpdate = true;
    }
  }

  draw(renderer: WebGLRenderer, main: PerspectiveCamera, height: number): void {
    const size = Math.min(110, height / 3);
    this.camera.position.set(0, 0, 6).applyQuaternion(main.quaternion);
    this.camera.quaternion.copy(main.quaternion);
    renderer.autoClear = false;
    renderer.clearDepth();
    renderer.setViewport(6, 6, size, size);
    renderer.setScissor(6, 6, size, size);
    renderer.setScissorTest(true);
    renderer.render(this.scene, this.camera);
    renderer.setScissorTest(false);
  }
}
