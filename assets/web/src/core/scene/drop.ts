/** Where dragged components belong when they are dropped: into the group under the pointer, or out of their group. */
import { isSelfOrAncestor } from '../containment/containment';
import { containsPoint, expandRect, type Point, type Rect } from './geometry';
import { dropTargetAt } from './hitTest';
import type { Scene } from './scene';

/** The distance from its group, in map units, at which a dragged part leaves the group. Closer, the group grows. */
export const LEAVE_DISTANCE = 60;

/** A change of group. */
export interface Drop {
  /** The components that change their group. */
  ids: ReadonlySet<string>;
  /** Their new group; null if they leave all groups. */
  target: string | null;
}

/**
 * The change of group if `roots` are dropped at a point, or null. `dragged` are the roots and their descendants, `rects`
 * the rectangles before the drag.
 */
export function dropAt(
  scene: Scene,
  rects: readonly Rect[],
  roots: Iterable<string>,
  dragged: ReadonlySet<string>,
  point: Point,
): Drop | null {
  const { parent } = scene.containment;
  const target = dropTargetAt(scene, rects, point, dragged)?.id ?? null;
  const isNear = (group: string) => {
    const rect = rects[scene.indexOf.get(group) ?? -1];
    return rect !== undefined && containsPoint(expandRect(rect, LEAVE_DISTANCE), point);
  };
  const ids = [...roots].filter((id) => {
    const group = parent.get(id) ?? null;
    if (group === target) return false;
    // Over another group, or inside a group in the component's own group, there is no margin.
    const isLeaving = group !== null && (target === null || isSelfOrAncestor(parent, target, group));
    return !(isLeaving && isNear(group));
  });
  return ids.length > 0 ? { ids: new Set(ids), target } : null;
}
