// The view of the arm: light, ground, camera, traces, and the arms of one or several runs.

import {
  AmbientLight,
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
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { ArmModel } from "./arm";
import type { Chain } from "./chain";
import { Corner } from "./corner";
import { Framing } from "./framing";
import { colour, onTheme, theme } from "./theme";

export interface Options {
  trace: boolean;
  straight: boolean;
}

/** What the arms are of. */
export interface Cast {
  /** Whether colours tell runs apart. */
  isCompared: boolean;
  /** Whether the motion is repeated and leaves no trace. */
  isLooping: boolean;
  /** Whether the run of a rank is shown. */
  shows: (rank: number) => boolean;
  /** Whether the run of a rank broke down. */
  broke: (rank: number) => boolean;
}

/** Arms that are drawn, in space or flat. */
export interface ArmView {
  readonly canvas: HTMLCanvasElement;
  readonly options: Options;
  /** Shows another motion of the first arm. */
  replace(chain: Chain): void;
  /** Moves the arms to a time; they are drawn with the next frame. */
  show(t: number): void;
  /** Enlarges bending. */
  enlarge(factor: number): void;
  /** Draws if something has changed. */
  draw(): void;
  /** Something other than the time has changed. */
  changed(): void;
  /** Looks at the whole motion, enlarged as it is, from the side on which it is widest. */
  reset(): void;
  /** The end of the first arm, as it is drawn. */
  tip(t: number, factor: number): Vector3 | null;
}

export class View implements ArmView {
  readonly canvas: HTMLCanvasElement;
  readonly options: Options = { trace: true, straight: true };
  factor = 1;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(32, 1, 0.01, 1000);
  private readonly orbit: OrbitControls;
  private readonly models: ArmModel[] = [];
  private readonly sun = new DirectionalLight(0xffffff, 2.4);
  private readonly corner = new Corner();
  private readonly framing: Framing;
  private grid: LineSegments2 | null = null;
  private post: Mesh<CylinderGeometry, MeshStandardMaterial> | null = null;
  private t = 0;
  private width = 0;
  private height = 0;
  private stale = true;
  /** Whether a hand has moved the camera: then it stays where it is. */
  private isMoved = false;

  constructor(
    place: HTMLElement,
    private readonly chains: Chain[],
    private readonly cast: Cast,
  ) {
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
    this.framing = new Framing(chains, cast);
    this.layGround();
    this.corner.setGravity(new Vector3(...chains[0].arm.gravity));
    this.light();
    for (const chain of chains) {
      const model = new ArmModel(chain, this.framing.radius, cast);
      this.models.push(model);
      this.scene.add(model.object);
    }
    this.reset();
    this.paint();
    onTheme(() => this.paint());
    new ResizeObserver(() => this.resize(place)).observe(place);
    this.resize(place);
  }

  replace(chain: Chain): void {
    this.scene.remove(this.models[0].object);
    this.models[0] = new ArmModel(chain, this.framing.radius, this.cast);
    this.scene.add(this.models[0].object);
    this.paint();
  }

  show(t: number): void {
    this.t = t;
    this.stale = true;
  }

  enlarge(factor: number): void {
    this.factor = factor;
    for (const model of this.models) model.retrace(factor);
    if (!this.isMoved) this.reset();
    this.stale = true;
  }

  draw(): void {
    this.orbit.update();
    if (!this.stale) return;
    this.stale = false;
    this.models.forEach((model, k) => {
      model.object.visible = this.cast.shows(this.chains[k].rank);
      if (model.object.visible) model.show(this.t, this.factor, this.options);
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

  tip(t: number, factor: number): Vector3 | null {
    return this.chains[0].tipAt(t, factor, new Vector3());
  }

  reset(): void {
    this.isMoved = false;
    const { centre, radius } = this.framing.ball(this.factor);
    this.shine(centre, radius);
    const away = radius / Math.sin((this.camera.fov * Math.PI) / 360);
    this.camera.up.copy(this.framing.up);
    this.camera.position.copy(this.framing.side).multiplyScalar(away * 1.04).add(centre);
    this.camera.near = away / 100;
    this.camera.far = away * 40;
    this.camera.updateProjectionMatrix();
    this.orbit.target.copy(centre);
    this.orbit.minDistance = radius / 50;
    this.orbit.maxDistance = away * 6;
    this.orbit.update();
    this.stale = true;
  }

  private layGround(): void {
    const { up, floor, base, radius, centre, meanHeight, hasWeight } = this.framing;
    const { step, half } = this.framing.grid();
    const foot = centre.clone();
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
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
    if (hasWeight && meanHeight > base && base - floor > 0.05 * radius) {
      const wide = 0.021 * radius;
      this.post = new Mesh(new CylinderGeometry(wide, wide, base - floor, 28), new MeshStandardMaterial({ roughness: 0.6 }));
      this.post.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), up);
      this.post.position.set(...this.chains[0].arm.links[0].joint.inboard);
      this.post.position.addScaledVector(up, (floor - base) / 2);
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
    const { up, side } = this.framing;
    const across = new Vector3().crossVectors(up, side).normalize();
    this.sun.position
      .copy(centre)
      .addScaledVector(up, 2.3 * radius)
      .addScaledVector(side, 2.4 * radius)
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
