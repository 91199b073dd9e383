/**
 * Aligns and distributes the selected components and notes. Groups move with all components inside them, frames with
 * everything that is completely inside them.
 */
import {
  aligned,
  distributed,
  type Edge,
  itemsToAlign,
  itemsToDistribute,
  type PlacedComponent,
} from '@/core/layout/align';
import type { Point, Rect } from '@/core/scene/geometry';
import type { Move } from '@/core/sync/operation';
import { committedNotes } from '../state/notes';
import { currentRects, currentScene } from '../state/scenes';
import { useView } from '../state/view';
import { commitPlacements, shiftedPositions } from './edits';
import { movedItems, shiftedNotes } from './noteMoves';

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
    .map(({ note, rect }) => ({ id: NOTE + note.id, rect, isFrame: note.kind === 'frame' }));
  return [...components, ...notes];
}

export function align(edge: Edge): void {
  const items = itemsToAlign(selectedItems());
  commitMovedItems(items, aligned(items, edge), 'Align');
}

/** Equalizes the gaps between the selected items. */
export function distribute(axis: 'x' | 'y'): void {
  const items = itemsToDistribute(selectedItems());
  commitMovedItems(items, distributed(items, axis), 'Distribute');
}

/** Moves items with their contents. Items get their own place, also if it is unchanged and a frame around them moves. */
function commitMovedItems(items: readonly PlacedComponent[], moves: readonly Move[], label: string): void {
  const components = new Map<string, Point>();
  const notes = new Map<string, Rect>();
  const moveOf = new Map(moves.map((move) => [move.id, move]));
  for (const { id, rect } of outerFirst(items)) {
    const isNote = id.startsWith(NOTE);
    const moved = isNote
      ? movedItems(new Set(), new Set([id.slice(NOTE.length)]))
      : { roots: [id.slice(COMPONENT.length)], notes: new Set<string>() };
    const { x, y } = moveOf.get(id) ?? rect;
    const by = { x: x - rect.x, y: y - rect.y };
    const isUnmoved = by.x === 0 && by.y === 0;
    for (const [part, place] of shiftedPositions(moved.roots, by)) {
      if (isUnmoved) components.delete(part);
      else components.set(part, place);
    }
    for (const [note, place] of shiftedNotes(moved.notes, by)) {
      if (isUnmoved) notes.delete(note);
      else notes.set(note, place);
    }
  }
  commitPlacements(components, label, notes);
}

/** Every item after those that can take it along: frames before components, and both by decreasing area. */
function outerFirst(items: readonly PlacedComponent[]): PlacedComponent[] {
  const isFrame = (item: PlacedComponent) => Number(item.isFrame ?? false);
  const area = ({ rect }: PlacedComponent) => rect.width * rect.height;
  return items.toSorted((a, b) => isFrame(b) - isFrame(a) || area(b) - area(a));
}
