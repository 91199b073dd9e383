/**
 * Two sheets for one drawing: one that is seen, and one on which the next is drawn. Where there is much to draw it is
 * drawn in parts, one in each frame, and shown when it is done; until then what is seen is shifted and scaled.
 */
import type { Viewport } from '../state/camera';
import type { DrawingContext, MapDrawing } from './drawing';
import { paintIncrementally } from './paint';

/** More than this is not seen, and costs. */
const MAX_PIXEL_RATIO = 2;
/** Pixels that are drawn beyond each border. */
const OVERDRAW = 160;

/** What is to be drawn, and what it depends on beside the viewport: while that is the same, the drawing still does. */
export interface DrawRequest {
  given: readonly unknown[];
  drawing: MapDrawing;
}

export class DoubleBuffer {
  #front: DrawingContext;
  #back: DrawingContext;
  readonly #onDisplayed: () => void;
  #requested: DrawRequest | null = null;
  #displayed: DrawRequest | null = null;
  #work: { order: DrawRequest; parts: Generator<void>; count: number } | null = null;
  /** Whether the last drawing took more than one frame: the next begins before it is needed. */
  #isSlow = false;
  #frame = 0;

  /** `onShown` is told when another drawing is seen, some frames after it was asked for. */
  constructor(front: DrawingContext, back: DrawingContext, onShown: () => void) {
    this.#front = front;
    this.#back = back;
    this.#onDisplayed = onShown;
  }

  /** What is seen, which may be what was wanted some frames ago. */
  get displayed(): MapDrawing | null {
    return this.#displayed?.drawing ?? null;
  }

  /** Whether what is seen was drawn for the very place that is wanted. */
  get isSharp(): boolean {
    const [one, other] = [this.#displayed?.drawing.viewport, this.#requested?.drawing.viewport];
    return one?.x === other?.x && one?.y === other?.y && one?.zoom === other?.zoom;
  }

  /** Shows this: at once what there is of it, the rest as soon as it is drawn. */
  show(order: DrawRequest): void {
    this.#requested = order;
    if (!this.#work && !this.#canShow(this.#isSlow ? OVERDRAW / 2 : OVERDRAW)) this.#begin(order);
    this.#position();
  }

  /** Draws what is wanted sharp, and with its border anew. */
  sharpen(): void {
    if (this.#requested && !this.#work && !this.isSharp) this.#begin(this.#requested);
    this.#position();
  }

  /** Leaves off. */
  stop(): void {
    cancelAnimationFrame(this.#frame);
  }

  /** Whether what is seen can be shown as what is wanted. */
  #canShow(beyond: number): boolean {
    const [shown, wanted] = [this.#displayed, this.#requested];
    if (!shown || !wanted || shown.given.length !== wanted.given.length) return false;
    if (!shown.given.every((part, at) => part === wanted.given[at])) return false;
    const [from, to] = [shown.drawing.viewport, wanted.drawing.viewport];
    const scale = to.zoom / from.zoom;
    if (scale !== 1) return scale > 0.7 && scale < 2.2;
    return Math.abs(to.x - from.x) <= beyond && Math.abs(to.y - from.y) <= beyond;
  }

  #begin(order: DrawRequest): void {
    this.#work = { order, parts: drawIncrementally(this.#back, order.drawing), count: 0 };
    // Nothing is seen yet, so nothing can falter.
    while (!this.#displayed && this.#work) this.#step();
    if (!this.#work) return;
    // What will take several frames leaves this one to what asked for it.
    if (this.#isSlow) this.#frame = requestAnimationFrame(this.#later);
    else this.#step();
  }

  #later = (): void => {
    const { displayed } = this;
    this.#step();
    if (displayed !== this.displayed) this.#onDisplayed();
  };

  #step(): void {
    if (!this.#work) return;
    const { order, parts } = this.#work;
    if (!parts.next().done) {
      this.#work.count++;
      if (this.#displayed) this.#frame = requestAnimationFrame(this.#later);
      return;
    }
    this.#isSlow = this.#work.count > 0;
    this.#work = null;
    this.#displayed = order;
    [this.#front, this.#back] = [this.#back, this.#front];
    this.#position();
    this.#front.canvas.style.opacity = '1';
    this.#back.canvas.style.opacity = '0';
    // What has come to be wanted meanwhile.
    if (this.#requested && !this.#canShow(OVERDRAW)) this.#begin(this.#requested);
  }

  /** Puts what is seen where it belongs in the view that is wanted. */
  #position(): void {
    if (!this.#displayed || !this.#requested) return;
    const [from, to] = [this.#displayed.drawing.viewport, this.#requested.drawing.viewport];
    const scale = to.zoom / from.zoom;
    const [x, y] = [to.x - (from.x + OVERDRAW) * scale, to.y - (from.y + OVERDRAW) * scale];
    this.#front.canvas.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }
}

function drawIncrementally(context: DrawingContext, drawing: MapDrawing): Generator<void> {
  return paintIncrementally(context, prepareCanvas(context, drawing, OVERDRAW));
}

/** Makes a sheet ready for a picture, larger than that on all sides. Answers the picture as it is on the sheet. */
export function prepareCanvas(context: DrawingContext, drawing: MapDrawing, beyond: number): MapDrawing {
  const { canvas } = context;
  const { viewport } = drawing;
  const [width, height] = [drawing.width + 2 * beyond, drawing.height + 2 * beyond];
  const ratio = Math.min(devicePixelRatio, MAX_PIXEL_RATIO);
  resizeCanvas(canvas, width, height, ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  if (beyond === 0) canvas.style.transform = '';
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { ...drawing, width, height, viewport: shiftViewport(viewport, beyond) };
}

function shiftViewport({ x, y, zoom }: Viewport, by: number): Viewport {
  return { x: x + by, y: y + by, zoom };
}

/** Setting the size of a canvas empties it, and takes time: only when it is another. */
export function resizeCanvas(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
}
