/** Resizes a note by its handles. */
import type { Point } from '@/core/scene/geometry';
import type { ResizeHandle } from '@/core/scene/resize';
import { rows } from '../edits/edits';
import { commitNoteResize, resizedBy } from '../edits/notes';
import { useInteraction } from '../state/interaction';
import type { PointerGesture } from './gesture';

/** The gesture of a handle: an element with the ID of the note and the edges that it moves. */
export function resizeNoteGesture(element: Element, from: Point): PointerGesture {
  const id = element.getAttribute('data-resize-note') ?? '';
  const [x, y] = (element.getAttribute('data-edges') ?? '0 0').split(' ').map(Number);
  const note = rows().note.get(id);
  return {
    pans: false,
    move(point, event) {
      if (!note) return;
      const by = { x: point.x - from.x, y: point.y - from.y };
      useInteraction.setState({
        movingNotes: new Map([[id, resizedBy(note, { x, y } as ResizeHandle, by, event.altKey)]]),
      });
    },
    end: commitNoteResize,
  };
}
