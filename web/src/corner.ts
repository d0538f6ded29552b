// The axes of the world and gravity, in a corner of the view.

import {
  ArrowHelper,
  CanvasTexture,
  Color,
  PerspectiveCamera,
  Scene,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
  Vector3,
  type WebGLRenderer,
} from "three";
import { colour } from "./theme";

export class Corner {
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
