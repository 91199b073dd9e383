/** Resizes a group by its handles. */
import type { Point } from '@/core/scene/geometry';
import { occupiedArea, type ResizeHandle, resizedRect } from '@/core/scene/resize';
import { commitResize } from '../edits/resize';
import { rectOf } from '../edits/room';
import { useInteraction } from '../state/interaction';
import { committedRects, currentScene } from '../state/scenes';
import type { PointerGesture } from './gesture';

/** The gesture of a handle: an element with the ID of the group and the edges that it moves. */
export function resizeGesture(element: Element, from: Point): PointerGesture {
  const id = element.getAttribute('data-resize') ?? '';
  const [x, y] = (element.getAttribute('data-edges') ?? '0 0').split(' ').map(Number);
  const handle = { x, y } as ResizeHandle;
  const rect = rectOf(id);
  const occupied = occupiedArea(currentScene(), committedRects(), id);
  return {
    pans: false,
    move(point, event) {
      if (!rect) return;
      const by = { x: point.x - from.x, y: point.y - from.y };
      const to = resizedRect(rect, occupied, handle, by, event.altKey);
      useInteraction.setState({ moving: new Map([[id, to]]) });
    },
    end: commitResize,
  };
}
