// Pictures and videos of the view.

import { download, el, fileName } from "./dom";
import type { Player } from "./player";
import type { ArmView } from "./view";

/** Kinds of videos, the best first. */
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

/** Pictures a second, and bits a second. */
const RATE = 30;
const BITS = 8e6;

/** Buttons that save a picture and a video. */
export function filmButtons(view: ArmView, player: Player, name: string): HTMLElement[] {
  const shoot = () => {
    view.draw();
    view.canvas.toBlob((picture) => picture && download(fileName(`${name}-${player.t.toFixed(3)}s`, "png"), "image/png", picture));
  };
  const picture = el("button", { class: "quiet", id: "picture", title: "Save a picture of the view (PNG)", click: shoot }, "PNG");
  const kind = typeof MediaRecorder === "undefined" ? undefined : KINDS.find((one) => MediaRecorder.isTypeSupported(one));
  if (!kind || player.end <= player.start) return [picture];
  const film = new Film(view, player, name, kind);
  return [picture, film.button];
}

/** Plays from the start to the end, and keeps what is seen. */
class Film {
  readonly button = el("button", { class: "quiet", id: "video", click: () => (this.recorder ? this.stop() : this.start()) });
  private recorder: MediaRecorder | null = null;

  constructor(
    private readonly view: ArmView,
    private readonly player: Player,
    private readonly name: string,
    private readonly kind: string,
  ) {
    this.label();
    player.onState(() => {
      // the last picture has yet to be drawn and taken
      if (this.recorder && !player.playing) setTimeout(() => this.stop(), 2000 / RATE);
    });
  }

  private start(): void {
    const { player, kind } = this;
    const recorder = new MediaRecorder(this.view.canvas.captureStream(RATE), { mimeType: kind, videoBitsPerSecond: BITS });
    const parts: Blob[] = [];
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    recorder.addEventListener("stop", () => {
      const plain = kind.split(";")[0];
      download(fileName(this.name, plain.split("/")[1]), plain, new Blob(parts, { type: plain }));
    });
    if (player.playing) player.toggle();
    this.recorder = recorder;
    player.seek(player.start);
    recorder.start();
    player.toggle();
    // what is repeated is kept once
    if (player.loops) setTimeout(() => this.stop(), (1000 * (player.end - player.start)) / player.speed);
    this.label();
  }

  private stop(): void {
    const { recorder, player } = this;
    if (!recorder) return;
    this.recorder = null;
    if (recorder.state !== "inactive") recorder.stop();
    if (player.playing && !player.loops) player.toggle();
    this.label();
  }

  private label(): void {
    this.button.textContent = this.recorder ? "■ stop" : "video";
    this.button.title = this.recorder ? "End the video here and save it" : "Play from the start and save what is seen as a video (WebM)";
    this.button.classList.toggle("recording", this.recorder !== null);
  }
}
