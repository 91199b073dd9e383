/** The interface of pointer gestures on the canvas. */
import type { Point } from '@/core/scene/geometry';

export interface PointerGesture {
  move(point: Point, event: PointerEvent): void;
  end(point: Point, event: PointerEvent): void;
  /** Called for a press without a drag. */
  click?(point: Point, event: PointerEvent): void;
  /** Whether the canvas may pan during the gesture. */
  pans: boolean;
}
