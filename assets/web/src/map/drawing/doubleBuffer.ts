/**
 * Two canvases for one drawing: the front canvas is displayed while the next drawing is painted on the back canvas.
 * Large drawings are painted incrementally over several frames. In the meantime, the front canvas is shifted and
 * scaled.
 */
import type { Viewport } from '../state/camera';
import type { DrawingContext, MapDrawing } from './drawing';
import { paintIncrementally } from './paint';

/** Higher densities make no visible difference but are slower. */
const MAX_PIXEL_RATIO = 2;
/** Pixels painted beyond each edge. */
const OVERDRAW = 160;

/** A drawing and its inputs other than the viewport. A drawing stays valid while `inputs` are the same. */
export interface DrawRequest {
  inputs: readonly unknown[];
  drawing: MapDrawing;
}

export class DoubleBuffer {
  #front: DrawingContext;
  #back: DrawingContext;
  readonly #onDisplayed: () => void;
  #requested: DrawRequest | null = null;
  #displayed: DrawRequest | null = null;
  #work: { order: DrawRequest; parts: Generator<void>; count: number } | null = null;
  /** Whether the last drawing took more than one frame. If so, the next one is started early. */
  #isSlow = false;
  #frame = 0;

  /** `onShown` is called when a different drawing is displayed, some frames after it was requested. */
  constructor(front: DrawingContext, back: DrawingContext, onShown: () => void) {
    this.#front = front;
    this.#back = back;
    this.#onDisplayed = onShown;
  }

  /** The displayed drawing, which may be some frames behind the requested one. */
  get displayed(): MapDrawing | null {
    return this.#displayed?.drawing ?? null;
  }

  /** Whether the displayed drawing was painted for the requested viewport. */
  get isSharp(): boolean {
    const [displayed, requested] = [this.#displayed?.drawing.viewport, this.#requested?.drawing.viewport];
    return (
      displayed?.x === requested?.x && displayed?.y === requested?.y && displayed?.zoom === requested?.zoom
    );
  }

  /** Shows a drawing: immediately where it is already painted, the rest when it is complete. */
  show(order: DrawRequest): void {
    this.#requested = order;
    if (!this.#work && !this.#canShow(this.#isSlow ? OVERDRAW / 2 : OVERDRAW)) this.#begin(order);
    this.#position();
  }

  /** Repaints the requested drawing for its exact viewport and overdraw. */
  sharpen(): void {
    if (this.#requested && !this.#work && !this.isSharp) this.#begin(this.#requested);
    this.#position();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }

  /** Whether the displayed drawing, shifted and scaled, can be shown for the requested one. */
  #canShow(beyond: number): boolean {
    const [shown, wanted] = [this.#displayed, this.#requested];
    if (!shown || !wanted || shown.inputs.length !== wanted.inputs.length) return false;
    if (!shown.inputs.every((part, at) => part === wanted.inputs[at])) return false;
    const [from, to] = [shown.drawing.viewport, wanted.drawing.viewport];
    const scale = to.zoom / from.zoom;
    if (scale !== 1) return scale > 0.7 && scale < 2.2;
    return Math.abs(to.x - from.x) <= beyond && Math.abs(to.y - from.y) <= beyond;
  }

  #begin(order: DrawRequest): void {
    this.#work = { order, parts: drawIncrementally(this.#back, order.drawing), count: 0 };
    // Nothing is displayed yet, so painting may block.
    while (!this.#displayed && this.#work) this.#step();
    if (!this.#work) return;
    // Start slow drawings in the next frame to avoid delaying the current one.
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
    // Another drawing may have been requested in the meantime.
    if (this.#requested && !this.#canShow(OVERDRAW)) this.#begin(this.#requested);
  }

  /** Positions the front canvas in the requested viewport. */
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

/** Prepares a canvas that extends beyond the drawing on all sides. Returns the drawing in canvas coordinates. */
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

/** Setting the size of a canvas clears it and is slow, so skip it if the size is unchanged. */
export function resizeCanvas(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
}
