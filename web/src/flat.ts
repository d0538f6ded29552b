// The arms drawn flat, for browsers without WebGL: lines and discs as seen from one side, without
// perspective.

import { Vector3 } from "three";
import type { Chain } from "./chain";
import { el } from "./dom";
import { Framing } from "./framing";
import { runColour } from "./runs";
import { colour, onTheme } from "./theme";
import type { ArmView, Cast, Options } from "./view";

/** Places of a trace, at most. */
const TRACED = 2000;

type Place = [number, number];

export class FlatView implements ArmView {
  readonly canvas = el("canvas", { id: "view", role: "img", "aria-label": "the arm at the current time, drawn flat" });
  readonly options: Options = { trace: true, straight: true };
  private readonly framing: Framing;
  private readonly chains: Chain[];
  private readonly right = new Vector3();
  private readonly upward = new Vector3();
  private readonly centre = new Vector3();
  private traces: Vector3[][] = [];
  private factor = 1;
  /** Pixels per metre. */
  private zoom = 1;
  private turn = 0;
  private tilt = 0;
  private t = 0;
  private stale = true;

  constructor(
    private readonly place: HTMLElement,
    chains: Chain[],
    private readonly cast: Cast,
  ) {
    this.chains = [...chains];
    this.framing = new Framing(chains, cast);
    place.append(this.canvas);
    this.retrace();
    this.hands();
    onTheme(() => this.changed());
    new ResizeObserver(() => this.reset()).observe(place);
    this.reset();
  }

  replace(chain: Chain): void {
    this.chains[0] = chain;
    this.changed();
  }

  show(t: number): void {
    this.t = t;
    this.stale = true;
  }

  enlarge(factor: number): void {
    this.factor = factor;
    this.retrace();
    this.reset();
  }

  changed(): void {
    this.stale = true;
  }

  tip(t: number, factor: number): Vector3 | null {
    return this.chains[0].tipAt(t, factor, new Vector3());
  }

  reset(): void {
    const { side, up } = this.framing;
    const [east, north] = this.framing.ground();
    this.turn = Math.atan2(side.dot(north), side.dot(east));
    this.tilt = Math.asin(side.dot(up));
    const { centre, radius } = this.framing.ball(this.factor);
    this.centre.copy(centre);
    const { clientWidth, clientHeight } = this.place;
    this.zoom = Math.min(clientWidth, clientHeight) / (2.1 * radius);
    this.stale = true;
  }

  draw(): void {
    if (!this.stale) return;
    this.stale = false;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const { clientWidth: width, clientHeight: height } = this.place;
    [this.canvas.width, this.canvas.height] = [Math.max(width * ratio, 1), Math.max(height * ratio, 1)];
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    pen.fillStyle = colour("view");
    pen.fillRect(0, 0, width, height);
    pen.lineCap = pen.lineJoin = "round";
    this.look();
    this.drawGround(pen);
    // the first arm last, over the others
    for (const chain of [...this.chains].reverse()) if (this.cast.shows(chain.rank)) this.drawArm(pen, chain);
    this.drawAxes(pen, height);
  }

  private look(): void {
    const { up } = this.framing;
    const [east, north] = this.framing.ground();
    const out = east.clone().multiplyScalar(Math.cos(this.turn)).addScaledVector(north, Math.sin(this.turn));
    this.right.crossVectors(up, out).normalize();
    this.upward.copy(up).multiplyScalar(Math.cos(this.tilt)).addScaledVector(out, -Math.sin(this.tilt));
  }

  private flat(place: Vector3): Place {
    const off = place.clone().sub(this.centre);
    const { clientWidth, clientHeight } = this.place;
    return [clientWidth / 2 + this.zoom * off.dot(this.right), clientHeight / 2 - this.zoom * off.dot(this.upward)];
  }

  private line(pen: CanvasRenderingContext2D, places: Vector3[], ink: string, width: number, opacity = 1, dash: number[] = []): void {
    if (places.length < 2) return;
    pen.globalAlpha = opacity;
    pen.strokeStyle = ink;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.beginPath();
    places.forEach((place, k) => (k === 0 ? pen.moveTo(...this.flat(place)) : pen.lineTo(...this.flat(place))));
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  private disc(pen: CanvasRenderingContext2D, place: Vector3, ink: string, radius: number, opacity: number): void {
    pen.globalAlpha = opacity;
    pen.fillStyle = ink;
    pen.beginPath();
    pen.arc(...this.flat(place), radius, 0, 2 * Math.PI);
    pen.fill();
    pen.globalAlpha = 1;
  }

  private drawGround(pen: CanvasRenderingContext2D): void {
    const { up, floor, centre } = this.framing;
    const [east, north] = this.framing.ground();
    const { step, half } = this.framing.grid();
    const round = (x: number) => Math.round(x / step) * step;
    const foot = new Vector3().addScaledVector(up, floor).addScaledVector(east, round(centre.dot(east))).addScaledVector(north, round(centre.dot(north)));
    for (let x = -half; x <= half + step / 2; x += step) {
      for (const [along, across] of [[east, north], [north, east]]) {
        const ends = [-half, half].map((y) => foot.clone().addScaledVector(across, x).addScaledVector(along, y));
        this.line(pen, ends, colour("grid"), 1);
      }
    }
  }

  private drawArm(pen: CanvasRenderingContext2D, chain: Chain): void {
    const isGhost = chain.rank > 0;
    const opacity = isGhost ? 0.5 : 1;
    const own = this.cast.isCompared ? runColour(chain.rank) : null;
    const ink = (name: string) => own && (isGhost || name === "beam") ? own : colour(name);
    const thin = Math.max(0.02 * this.framing.radius * this.zoom, 3);
    if (this.options.trace) {
      const trace = this.traces[this.chains.indexOf(chain)] ?? [];
      this.line(pen, trace, own ?? colour("trace"), 1.5, 0.6 * opacity);
    }
    if (!isGhost && this.options.straight && chain.bendsAtAll) {
      for (const { points } of chain.at(this.t, 0)) this.line(pen, points.map((one) => one.place.clone()), colour("straight"), 1.2, 0.6, [4, 4]);
    }
    const shapes = chain.at(this.t, this.factor);
    chain.arm.links.forEach((link, k) => {
      const { points } = shapes[k];
      const follow = (point: number | null, place: ArrayLike<number>) => chain.follow(k, point, place, new Vector3());
      for (const { point, from, via, to } of link.bones) {
        this.line(pen, [from, ...(via ? [via] : []), to].map((place) => follow(point, place)), ink("solid"), thin, opacity);
      }
      for (const box of link.boxes) this.disc(pen, follow(null, box.place), ink("solid"), (Math.max(...box.size) / 2) * this.zoom, opacity);
      const width = Math.max(thin, Math.max(...(link.points[0]?.size ?? [0])) * this.zoom);
      this.line(pen, points.map((one) => one.place), ink(link.slide ? "slide" : "beam"), width, opacity);
      for (const load of link.loads) this.disc(pen, follow(load.point, load.place), ink("load"), 1.4 * thin, opacity);
      if (link.joint.kind !== "fixed" && link.joint.kind !== "free") this.disc(pen, follow(null, link.joint.origin), ink("joint"), thin, opacity);
    });
  }

  private drawAxes(pen: CanvasRenderingContext2D, height: number): void {
    const foot: Place = [48, height - 48];
    ["x", "y", "z"].forEach((name, k) => {
      const axis = new Vector3().setComponent(k, 1);
      const tip: Place = [foot[0] + 32 * axis.dot(this.right), foot[1] - 32 * axis.dot(this.upward)];
      pen.strokeStyle = pen.fillStyle = colour(`axis-${name}`);
      pen.lineWidth = 2;
      pen.beginPath();
      pen.moveTo(...foot);
      pen.lineTo(...tip);
      pen.stroke();
      pen.font = "600 12px system-ui, sans-serif";
      pen.fillText(name, tip[0] + 3, tip[1]);
    });
  }

  private retrace(): void {
    if (this.cast.isLooping) return;
    this.traces = this.chains.map((chain) => {
      const every = Math.max(1, Math.ceil(chain.times.length / TRACED));
      const times = Array.from(chain.times).filter((_, k) => k % every === 0);
      return times.flatMap((t) => chain.tipAt(t, this.factor, new Vector3()) ?? []);
    });
  }

  /** Dragging turns the view, the wheel enlarges it. */
  private hands(): void {
    this.canvas.addEventListener("pointerdown", (down) => {
      this.canvas.setPointerCapture(down.pointerId);
      const move = ({ movementX, movementY }: PointerEvent) => {
        this.turn -= 0.008 * movementX;
        this.tilt = Math.min(Math.max(this.tilt + 0.008 * movementY, -1.5), 1.5);
        this.stale = true;
      };
      this.canvas.addEventListener("pointermove", move);
      this.canvas.addEventListener("pointerup", () => this.canvas.removeEventListener("pointermove", move), { once: true });
    });
    this.canvas.addEventListener("wheel", (event) => {
      this.zoom *= event.deltaY > 0 ? 1 / 1.1 : 1.1;
      this.stale = true;
      event.preventDefault();
    }, { passive: false });
  }
}
