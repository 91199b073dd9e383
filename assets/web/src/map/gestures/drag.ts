/** Drags components and groups, into groups and out of them. */
import { outermost, withDescendants } from '@/core/containment/containment';
import { type Drop, dropAt } from '@/core/scene/drop';
import { boundingBox, expandRect, overlaps, type Point, type Rect } from '@/core/scene/geometry';
import type { Placement } from '@/core/scene/scene';
import { type Guide, snap } from '@/core/scene/snap';
import { dropComponents } from '../edits/drop';
import { shiftedPositions } from '../edits/edits';
import { framesLeftEmpty } from '../edits/frames';
import { useCamera, visibleRect } from '../state/camera';
import { useInteraction } from '../state/interaction';
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
  bounds: Rect;
  /** The rectangles to align with. */
  near: readonly Rect[];
}

export function dragGesture(id: string, from: Point): PointerGesture {
  let dragged: Dragged | null = null;
  return {
    pans: false,
    move(point, event) {
      dragged ??= startDrag(id, event.shiftKey);
      if (!dragged) return;
      const offset = { x: point.x - from.x, y: point.y - from.y };
      const reach = SNAP_DISTANCE / useCamera.getState().viewport.zoom;
      const { by, guides }: { by: Point; guides: readonly Guide[] } = event.altKey
        ? { by: { x: Math.round(offset.x), y: Math.round(offset.y) }, guides: [] }
        : snap(dragged.bounds, offset, dragged.near, reach);
      const drop = dropAt(currentScene(), committedRects(), dragged.roots, dragged.all, point);
      const moving: Map<string, Placement> = shiftedPositions(dragged.all, by);
      // A group whose last part leaves keeps its frame.
      if (drop) for (const [group, frame] of framesLeftEmpty(drop.ids)) moving.set(group, frame);
      useInteraction.setState({
        moving,
        guides,
        drop: isSameDrop(drop) ? useInteraction.getState().drop : drop,
      });
    },
    end() {
      const { moving, drop } = useInteraction.getState();
      useInteraction.setState({ moving: null, guides: [], drop: null });
      if (moving && dragged) dropComponents(dragged.roots, moving, drop);
    },
  };
}

/** Selects the component if necessary and determines what is dragged with it. */
function startDrag(id: string, adds: boolean): Dragged | null {
  const { selectedComponents, selectedRelationships } = useView.getState();
  if (!selectedComponents.has(id))
    setSelection(adds ? [...selectedComponents, id] : [id], adds ? selectedRelationships : []);
  const scene = currentScene();
  const rects = currentRects();
  const roots = outermost(scene.containment, useView.getState().selectedComponents);
  const all = withDescendants(scene.containment, roots);
  const isDragged = (at: number) => all.has(scene.nodes[at]?.id ?? '');
  // Components in a group snap to the grid, and the group surrounds them.
  const hasFrame = (at: number) => scene.nodes[at]?.isGroup && (scene.nodes[at]?.inside ?? 0) > 0;
  const bounds = boundingBox(rects.filter((_, at) => !hasFrame(at) && isDragged(at)));
  const seen = expandRect(visibleRect(), 200);
  const near = rects.filter(
    (rect, at) => !isDragged(at) && !scene.nodes[at]?.isGroup && overlaps(rect, seen),
  );
  return bounds && { roots, all, bounds, near };
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
