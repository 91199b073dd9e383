/** Pointer, wheel and pinch on the stage. */
import type { Point } from './geometry';

/** Movement in pixels from which a press is a drag. */
const DRAG_DISTANCE = 4;
/** Zoom per pixel of the wheel. */
const WHEEL_SPEED = 0.0022;
const MAX_WHEEL_STEP = 120;
const LINE_HEIGHT = 16;

export interface GestureHandlers {
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Point): void;
  /** A press without a drag. */
  press(event: PointerEvent): void;
  /** Whether the wheel zooms without a modifier key. Otherwise it scrolls the page around the stage. */
  isWheelTaken(): boolean;
  /** The wheel was used without a modifier key that it needs. */
  wheelIgnored(): void;
}

export function mountGestures(stage: HTMLElement, handlers: GestureHandlers): void {
  const pointers = new Map<number, Point>();
  let isDrag = false;
  const at = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = stage.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };

  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !isMap(event)) return;
    if (pointers.size === 0) isDrag = false;
    pointers.set(event.pointerId, at(event));
  });
  stage.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    if (!isDrag && Math.hypot(dx, dy) < DRAG_DISTANCE) return;
    if (!isDrag) {
      isDrag = true;
      stage.classList.add('dragging');
    }
    if (!stage.hasPointerCapture(event.pointerId)) stage.setPointerCapture(event.pointerId);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const factor = distance(now, other) / Math.max(distance(before, other), 1);
      handlers.zoom(factor, middle(now, other));
    }
    // Each of two fingers moves the map by half.
    const share = other ? 0.5 : 1;
    handlers.pan(dx * share, dy * share);
    pointers.set(event.pointerId, now);
  });
  const release = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return;
    if (pointers.size === 0) stage.classList.remove('dragging');
    if (event.type === 'pointerup' && !isDrag) handlers.press(event);
  };
  stage.addEventListener('pointerup', release);
  stage.addEventListener('pointercancel', release);

  stage.addEventListener(
    'wheel',
    (event) => {
      if (!isMap(event)) return;
      if (!event.ctrlKey && !event.metaKey && !handlers.isWheelTaken()) {
        handlers.wheelIgnored();
        return;
      }
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_HEIGHT : 1);
      // A pinch on a trackpad arrives as a wheel with the control key and small steps.
      const speed = event.ctrlKey && Math.abs(pixels) < 40 ? WHEEL_SPEED * 4 : WHEEL_SPEED;
      const step = Math.min(Math.max(pixels, -MAX_WHEEL_STEP), MAX_WHEEL_STEP);
      handlers.zoom(Math.exp(-step * speed), at(event));
    },
    { passive: false },
  );
}

/** Whether an event is on the map and not on a control above it. */
function isMap(event: Event): boolean {
  return !event.composedPath().some((node) => node instanceof Element && node.classList.contains('over'));
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
