/** Alignment and distribution of components. */

import { boundingBox, containsRect, type Rect } from '../scene/geometry';
import type { Move } from '../sync/operation';

export type Edge = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';

export interface PlacedComponent {
  id: string;
  rect: Rect;
  /** Whether it is a frame, which takes along what is completely inside it. */
  isFrame?: boolean;
}

/** The items that are not inside a frame among them. Of frames with the same place, the first remains. */
export function outsideFrames(all: readonly PlacedComponent[]): PlacedComponent[] {
  const frames = [...all.entries()].filter(([, { isFrame }]) => isFrame);
  return all.filter(
    (inner, item) =>
      !frames.some(([frame, outer]) => {
        if (frame === item || !containsRect(outer.rect, inner.rect)) return false;
        return !inner.isFrame || frame < item || !containsRect(inner.rect, outer.rect);
      }),
  );
}

/**
 * The items to align: those outside of frames. If everything else is inside one frame, all items, so that its contents
 * are aligned with each other and with the frame.
 */
export function itemsToAlign(all: readonly PlacedComponent[]): readonly PlacedComponent[] {
  const outer = outsideFrames(all);
  return outer.length > 1 ? outer : all;
}

/** The items to distribute: those outside of frames, except for frames around everything else, which stay in place. */
export function itemsToDistribute(all: readonly PlacedComponent[]): readonly PlacedComponent[] {
  let items = all;
  let outer = outsideFrames(items);
  while (outer.length === 1 && items.length > 1) {
    const [enclosing] = outer;
    items = items.filter((item) => item !== enclosing);
    outer = outsideFrames(items);
  }
  return outer;
}

/** Moves that align all rectangles with an edge of their bounding box. Rectangles that would not move are omitted. */
export function aligned(all: readonly PlacedComponent[], edge: Edge): Move[] {
  const bounds = boundingBox(all.map(({ rect }) => rect));
  if (!bounds) return [];
  const { x, y, width, height } = bounds;
  const to: Record<Edge, (rect: Rect) => Partial<Rect>> = {
    left: () => ({ x }),
    center: (rect) => ({ x: x + (width - rect.width) / 2 }),
    right: (rect) => ({ x: x + width - rect.width }),
    top: () => ({ y }),
    middle: (rect) => ({ y: y + (height - rect.height) / 2 }),
    bottom: (rect) => ({ y: y + height - rect.height }),
  };
  return moves(all, (placed) => to[edge](placed.rect));
}

/** Moves that make the gaps equal; the first and last rectangles stay in place. */
export function distributed(all: readonly PlacedComponent[], axis: 'x' | 'y'): Move[] {
  const size = axis === 'x' ? 'width' : 'height';
  const order = all.toSorted((a, b) => a.rect[axis] - b.rect[axis]);
  const first = order[0];
  const last = order.at(-1);
  if (!first || !last || order.length < 3) return [];
  const span = last.rect[axis] + last.rect[size] - first.rect[axis];
  const space = (span - order.reduce((sum, { rect }) => sum + rect[size], 0)) / (order.length - 1);
  const at = new Map<string, number>();
  let next = first.rect[axis];
  for (const { id, rect } of order) {
    at.set(id, next);
    next += rect[size] + space;
  }
  return moves(order, ({ id }) => ({ [axis]: at.get(id) }));
}

function moves(all: readonly PlacedComponent[], to: (placed: PlacedComponent) => Partial<Rect>): Move[] {
  return all.flatMap((placed) => {
    const { x, y } = { ...placed.rect, ...to(placed) };
    const isUnmoved = Math.abs(x - placed.rect.x) < 0.01 && Math.abs(y - placed.rect.y) < 0.01;
    return isUnmoved ? [] : [{ id: placed.id, x, y }];
  });
}
