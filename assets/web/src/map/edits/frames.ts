/** Keeps the frames of groups whose parts leave, and writes positions together with sizes and waypoints. */
import { GROUP_TYPE } from '@/core/containment/containment';
import { moveWaypoints } from '@/core/layout/lineEdits';
import { updateRow } from '@/core/model/edits';
import type { Drop } from '@/core/scene/drop';
import type { Rect } from '@/core/scene/geometry';
import type { Placement } from '@/core/scene/scene';
import type { Move, Operation } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';
import { currentScene } from '../state/scenes';
import { isExpandedGroup, rectOf } from './room';

/**
 * The frames of the groups that become empty when these components leave them. An empty group is drawn at its own
 * position, so the frame must be stored for the group to stay in place.
 */
export function framesLeftEmpty(leaving: ReadonlySet<string>): Map<string, Rect> {
  const { containment } = currentScene();
  const frames = new Map<string, Rect>();
  for (const id of leaving) {
    const group = containment.parent.get(id);
    if (group === undefined || leaving.has(group) || frames.has(group)) continue;
    const isLeftEmpty = containment.children.get(group)?.every((part) => leaving.has(part));
    const rect = isLeftEmpty ? rectOf(group) : undefined;
    if (rect) frames.set(group, rect);
  }
  return frames;
}

/**
 * The frame of an empty group that gets its first part. It must be stored, so that the group does not shrink to the size
 * of the part.
 */
export function frameOfEmpty(group: string | null): Map<string, Rect> {
  const rect =
    group !== null && isExpandedGroup(group) && !currentScene().containment.children.has(group)
      ? rectOf(group)
      : undefined;
  return new Map(group !== null && rect ? [[group, rect]] : []);
}

/** The frames to store when components change their group. */
export function changedFrames({ ids, target }: Drop): Map<string, Rect> {
  return new Map([...framesLeftEmpty(ids), ...frameOfEmpty(target)]);
}

/** The operations that store these frames. Components of other types than group become cards, which have no frame. */
export function storeFrames(rows: Rows, frames: ReadonlyMap<string, Rect>): Operation[] {
  return placementOperations(
    rows,
    [...frames].map(([id, { x, y, width, height }]) => [
      id,
      rows.component.get(id)?.typeId === GROUP_TYPE ? { x, y, width, height } : { x, y },
    ]),
  );
}

/**
 * The operations that write positions and sizes, and move waypoints with both ends, except those of the lines `rerouted`.
 * Unchanged components are skipped.
 */
export function placementOperations(
  rows: Rows,
  placements: Iterable<readonly [string, Placement]>,
  rerouted?: ReadonlySet<string>,
): Operation[] {
  const moves: Move[] = [];
  const placed: Move[] = [];
  const updates: Operation[] = [];
  for (const [id, { x, y, width, height }] of placements) {
    placed.push({ id, x, y });
    const row = rows.component.get(id);
    if (!row) continue;
    if (width !== undefined && height !== undefined)
      updates.push(...updateRow(rows, 'component', id, { x, y, width, height }));
    else if (row.x !== x || row.y !== y) moves.push({ id, x, y });
  }
  return [
    ...(moves.length > 0 ? [{ op: 'move' as const, moves }] : []),
    ...updates,
    ...moveWaypoints(rows, placed, rerouted),
  ];
}
