/** Drags components and groups, into groups and out of them, and notes. */
import { withDescendants } from '@/core/containment/containment';
import { type Drop, dropAt } from '@/core/scene/drop';
import { boundingBox, expandRect, overlaps, type Point, type Rect } from '@/core/scene/geometry';
import type { Placement } from '@/core/scene/scene';
import { type Guide, snap } from '@/core/scene/snap';
import { canEdit } from '@/workspace/model';
import { dropItems } from '../edits/drop';
import { shiftedPositions } from '../edits/edits';
import { framesLeftEmpty } from '../edits/frames';
import { movedItems, shiftedNotes } from '../edits/noteMoves';
import { useCamera, visibleRect } from '../state/camera';
import { useInteraction } from '../state/interaction';
import { committedNotes } from '../state/notes';
import { committedRects, currentRects, currentScene } from '../state/scenes';
import { setSelection, useView } from '../state/view';
import type { PointerGesture } from './gesture';

/** Maximum distance in pixels from which a component snaps to a neighbor. */
const SNAP_DISTANCE = 6;

/** What is dragged, determined when the drag begins. */
interface Dragged {
  /** The dragged components that are not inside another dragged one. */
  roots: readonly string[];
  /** The roots and their descendants. */
  all: ReadonlySet<string>;
  notes: ReadonlySet<string>;
  /** Whether the components may change their group. */
  mayDrop: boolean;
  bounds: Rect;
  /** The rectangles to align with. */
  near: readonly Rect[];
}

/** The item that is dragged, with the rest of the selection if it is selected. */
export interface DragTarget {
  kind: 'component' | 'note';
  id: string;
}

export function dragGesture(target: DragTarget, from: Point): PointerGesture {
  let dragged: Dragged | null = null;
  return {
    pans: false,
    move(point, event) {
      dragged ??= startDrag(target, event.shiftKey, event.altKey);
      if (!dragged) return;
      const offset = { x: point.x - from.x, y: point.y - from.y };
      const reach = SNAP_DISTANCE / useCamera.getState().viewport.zoom;
      const { by, guides }: { by: Point; guides: readonly Guide[] } = event.altKey
        ? { by: { x: Math.round(offset.x), y: Math.round(offset.y) }, guides: [] }
        : snap(dragged.bounds, offset, dragged.near, reach);
      const drop = dragged.mayDrop
        ? dropAt(currentScene(), committedRects(), dragged.roots, dragged.all, point)
        : null;
      const moving: Map<string, Placement> = shiftedPositions(dragged.all, by);
      // A group whose last part leaves keeps its frame.
      if (drop) for (const [group, frame] of framesLeftEmpty(drop.ids)) moving.set(group, frame);
      useInteraction.setState({
        moving: moving.size > 0 ? moving : null,
        movingNotes: dragged.notes.size > 0 ? shiftedNotes(dragged.notes, by) : null,
        guides,
        drop: isSameDrop(drop) ? useInteraction.getState().drop : drop,
      });
    },
    end() {
      const { moving, movingNotes, drop } = useInteraction.getState();
      useInteraction.setState({ moving: null, movingNotes: null, guides: [], drop: null });
      if (dragged && (moving || movingNotes))
        dropItems(dragged.roots, moving ?? new Map(), drop, movingNotes ?? new Map());
    },
  };
}

/** Selects the item if necessary and determines what is dragged with it. If `isAlone`, frames keep their contents. */
function startDrag(target: DragTarget, adds: boolean, isAlone: boolean): Dragged | null {
  selectDragged(target, adds);
  const { selectedComponents, selectedNotes } = useView.getState();
  const scene = currentScene();
  const rects = currentRects();
  const { roots, notes, isCarrying } = movedItems(selectedComponents, selectedNotes, isAlone);
  const all = withDescendants(scene.containment, roots);
  const isDragged = (at: number) => all.has(scene.nodes[at]?.id ?? '');
  // Components in a group snap to the grid, and the group surrounds them.
  const hasFrame = (at: number) => scene.nodes[at]?.isGroup && (scene.nodes[at]?.inside ?? 0) > 0;
  const noteRects = committedNotes().flatMap(({ note, rect }) => (notes.has(note.id) ? [rect] : []));
  const bounds = boundingBox([...rects.filter((_, at) => !hasFrame(at) && isDragged(at)), ...noteRects]);
  const seen = expandRect(visibleRect(), 200);
  const near = rects.filter(
    (rect, at) => !isDragged(at) && !scene.nodes[at]?.isGroup && overlaps(rect, seen),
  );
  const nearNotes = committedNotes().flatMap(({ note, rect }) =>
    !notes.has(note.id) && overlaps(rect, seen) ? [rect] : [],
  );
  const mayDrop = target.kind === 'component' && !isCarrying && canEdit();
  return bounds && { roots, all, notes, mayDrop, bounds, near: [...near, ...nearNotes] };
}

function selectDragged({ kind, id }: DragTarget, adds: boolean): void {
  const { selectedComponents, selectedRelationships, selectedNotes } = useView.getState();
  if ((kind === 'note' ? selectedNotes : selectedComponents).has(id)) return;
  const isNote = kind === 'note';
  if (!adds) setSelection(isNote ? [] : [id], [], isNote ? [id] : []);
  else
    setSelection(
      isNote ? selectedComponents : [...selectedComponents, id],
      selectedRelationships,
      isNote ? [...selectedNotes, id] : selectedNotes,
    );
}

function isSameDrop(drop: Drop | null): boolean {
  const { drop: before } = useInteraction.getState();
  if (!drop || !before) return drop === before;
  return (
    drop.target === before.target &&
    drop.ids.size === before.ids.size &&
    [...drop.ids].every((id) => before.ids.has(id))
  );
}
