/** Aligns and distributes the selected components and notes. Groups move with all components inside them. */
import { aligned, distributed, type Edge, type PlacedComponent } from '@/core/layout/align';
import type { Point, Rect } from '@/core/scene/geometry';
import type { Move } from '@/core/sync/operation';
import { committedNotes } from '../state/notes';
import { currentRects, currentScene } from '../state/scenes';
import { useView } from '../state/view';
import { commitPlacements, shiftedPositions } from './edits';

/** IDs of components and notes are unique only within their kind. */
const COMPONENT = 'component/';
const NOTE = 'note/';

function selectedItems(): PlacedComponent[] {
  const { selectedComponents, selectedNotes } = useView.getState();
  const scene = currentScene();
  const rects = currentRects();
  const components = [...selectedComponents].flatMap((id) => {
    const at = scene.indexOf.get(id);
    const rect = at === undefined || scene.hidden.has(id) ? undefined : rects[at];
    return rect ? [{ id: COMPONENT + id, rect }] : [];
  });
  const notes = committedNotes()
    .filter(({ note }) => selectedNotes.has(note.id))
    .map(({ note, rect }) => ({ id: NOTE + note.id, rect }));
  return [...components, ...notes];
}

export function align(edge: Edge): void {
  const items = selectedItems();
  commitMovedItems(items, aligned(items, edge), 'Align');
}

/** Equalizes the gaps between the selected items. */
export function distribute(axis: 'x' | 'y'): void {
  const items = selectedItems();
  commitMovedItems(items, distributed(items, axis), 'Distribute');
}

function commitMovedItems(items: readonly PlacedComponent[], moves: readonly Move[], label: string): void {
  const components = new Map<string, Point>();
  const notes = new Map<string, Rect>();
  for (const { id, x, y } of moves) {
    const rect = items.find((item) => item.id === id)?.rect;
    if (!rect) continue;
    if (id.startsWith(NOTE)) notes.set(id.slice(NOTE.length), { ...rect, x, y });
    else {
      const by = { x: x - rect.x, y: y - rect.y };
      for (const [part, place] of shiftedPositions([id.slice(COMPONENT.length)], by))
        components.set(part, place);
    }
  }
  commitPlacements(components, label, notes);
}
