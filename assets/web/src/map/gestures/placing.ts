/** Places a new note or frame: a click places it at its default size, a drag at the size of the drag. */
import { MIN_NOTE_SIZE } from '@/core/notes/note';
import { type Point, rectBetween, snapToGrid } from '@/core/scene/geometry';
import { placeNote, startNoteDraft } from '../edits/notes';
import { useInteraction } from '../state/interaction';
import type { PointerGesture } from './gesture';

export function placingGesture(kind: 'note' | 'frame', from: Point): PointerGesture {
  const area = (to: Point) => rectBetween(snapped(from), snapped(to));
  return {
    pans: false,
    click: (point) => placeNote(kind, point),
    move: (point) => useInteraction.setState({ frame: area(point) }),
    end: (point) => {
      useInteraction.setState({ frame: null });
      const rect = area(point);
      const isTooSmall = rect.width < MIN_NOTE_SIZE.width || rect.height < MIN_NOTE_SIZE.height;
      if (isTooSmall) placeNote(kind, point);
      else startNoteDraft({ kind, rect });
    },
  };
}

function snapped({ x, y }: Point): Point {
  return { x: snapToGrid(x), y: snapToGrid(y) };
}
