/**
 * Two sheets for one drawing: one that is seen, and one on which the next is drawn. Where there is much to draw it is
 * drawn in parts, one in each frame, and shown when it is done; until then what is seen is shifted and scaled.
 */
import type { Viewport } from '../state/camera';
import type { Context, Picture } from './drawing';
import { paintInParts } from './paint';

/** More than this is not seen, and costs. */
const FINEST = 2;
/** Pixels that are drawn beyond each border. */
const BEYOND = 160;

/** What is to be drawn, and what it depends on beside the viewport: while that is the same, the drawing still does. */
export interface Order {
  given: readonly unknown[];
  picture: Picture;
}

export class Easel {
  #front: Context;
  #back: Context;
  readonly #onShown: () => void;
  #wanted: Order | null = null;
  #shown: Order | null = null;
  #work: { order: Order; parts: Generator<void>; count: number } | null = null;
  /** Whether the last drawing took more than one frame: the next begins before it is needed. */
  #isSlow = false;
  #frame = 0;

  /** `onShown` is told when another drawing is seen, some frames after it was asked for. */
  constructor(front: Context, back: Context, onShown: () => void) {
    this.#front = front;
    this.#back = back;
    this.#onShown = onShown;
  }

  /** What is seen, which may be what was wanted some frames ago. */
  get shown(): Picture | null {
    return this.#shown?.picture ?? null;
  }

  /** Whether what is seen was drawn for the very place that is wanted. */
  get isSharp(): boolean {
    const [one, other] = [this.#shown?.picture.viewport, this.#wanted?.picture.viewport];
    return one?.x === other?.x && one?.y === other?.y && one?.zoom === other?.zoom;
  }

  /** Shows this: at once what there is of it, the rest as soon as it is drawn. */
  show(order: Order): void {
    this.#wanted = order;
    if (!this.#work && !this.#does(this.#isSlow ? BEYOND / 2 : BEYOND)) this.#begin(order);
    this.#place();
  }

  /** Draws what is wanted sharp, and with its border anew. */
  sharpen(): void {
    if (this.#wanted && !this.#work && !this.isSharp) this.#begin(this.#wanted);
    this.#place();
  }

  /** Leaves off. */
  stop(): void {
    cancelAnimationFrame(this.#frame);
  }

  /** Whether what is seen can be shown as what is wanted. */
  #does(beyond: number): boolean {
    const [shown, wanted] = [this.#shown, this.#wanted];
    if (!shown || !wanted || shown.given.length !== wanted.given.length) return false;
    if (!shown.given.every((part, at) => part === wanted.given[at])) return false;
    const [from, to] = [shown.picture.viewport, wanted.picture.viewport];
    const scale = to.zoom / from.zoom;
    if (scale !== 1) return scale > 0.7 && scale < 2.2;
    return Math.abs(to.x - from.x) <= beyond && Math.abs(to.y - from.y) <= beyond;
  }

  #begin(order: Order): void {
    this.#work = { order, parts: drawing(this.#back, order.picture), count: 0 };
    // Nothing is seen yet, so nothing can falter.
    while (!this.#shown && this.#work) this.#step();
    if (!this.#work) return;
    // What will take several frames leaves this one to what asked for it.
    if (this.#isSlow) this.#frame = requestAnimationFrame(this.#later);
    else this.#step();
  }

  #later = (): void => {
    const { shown } = this;
    this.#step();
    if (shown !== this.shown) this.#onShown();
  };

  #step(): void {
    if (!this.#work) return;
    const { order, parts } = this.#work;
    if (!parts.next().done) {
      this.#work.count++;
      if (this.#shown) this.#frame = requestAnimationFrame(this.#later);
      return;
    }
    this.#isSlow = this.#work.count > 0;
    this.#work = null;
    this.#shown = order;
    [this.#front, this.#back] = [this.#back, this.#front];
    this.#place();
    this.#front.canvas.style.opacity = '1';
    this.#back.canvas.style.opacity = '0';
    // What has come to be wanted meanwhile.
    if (this.#wanted && !this.#does(BEYOND)) this.#begin(this.#wanted);
  }

  /** Puts what is seen where it belongs in the view that is wanted. */
  #place(): void {
    if (!this.#shown || !this.#wanted) return;
    const [from, to] = [this.#shown.picture.viewport, this.#wanted.picture.viewport];
    const scale = to.zoom / from.zoom;
    const [x, y] = [to.x - (from.x + BEYOND) * scale, to.y - (from.y + BEYOND) * scale];
    this.#front.canvas.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }
}

function drawing(context: Context, picture: Picture): Generator<void> {
  return paintInParts(context, prepared(context, picture, BEYOND));
}

/** Makes a sheet ready for a picture, larger than that on all sides. Answers the picture as it is on the sheet. */
export function prepared(context: Context, picture: Picture, beyond: number): Picture {
  const { canvas } = context;
  const { viewport } = picture;
  const [width, height] = [picture.width + 2 * beyond, picture.height + 2 * beyond];
  const ratio = Math.min(devicePixelRatio, FINEST);
  fitTo(canvas, width, height, ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  if (beyond === 0) canvas.style.transform = '';
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { ...picture, width, height, viewport: shifted(viewport, beyond) };
}

function shifted({ x, y, zoom }: Viewport, by: number): Viewport {
  return { x: x + by, y: y + by, zoom };
}

/** Setting the size of a canvas empties it, and takes time: only when it is another. */
export function fitTo(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
}
