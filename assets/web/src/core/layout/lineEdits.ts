/** Operations that change the layout of lines. */
import type { Relationship } from '@/api/generated';
import { updateRow } from '../model/edits';
import type { Point } from '../scene/geometry';
import { type LineLayout, lineLayout, movedLayout, reversedLayout, storedLine } from '../scene/lineLayout';
import type { Move, Operation } from '../sync/operation';
import type { Rows } from '../sync/rows';

export function setLayout(rows: Rows, id: string, layout: LineLayout): Operation[] {
  return updateRow(rows, 'relationship', id, { line: storedLine(layout) });
}

/** Exchanges the ends of a relationship. Its line stays where it is. */
export function reverseRelationship(rows: Rows, { id, sourceId, targetId, line }: Relationship): Operation[] {
  const layout = lineLayout(line);
  const reversed = layout ? { line: storedLine(reversedLayout(layout)) } : {};
  return updateRow(rows, 'relationship', id, { sourceId: targetId, targetId: sourceId, ...reversed });
}

/** The relationships between these components that have waypoints. */
export function withWaypoints(
  { relationship }: Pick<Rows, 'relationship'>,
  ids: ReadonlySet<string>,
): Set<string> {
  const lines = [...relationship.values()].filter(
    ({ sourceId, targetId, line }) =>
      ids.has(sourceId) && ids.has(targetId) && (lineLayout(line)?.via.length ?? 0) > 0,
  );
  return new Set(lines.map(({ id }) => id));
}

/** Removes the waypoints of lines. */
export function removeWaypoints(rows: Rows, ids: Iterable<string>): Operation[] {
  return [...ids].flatMap((id) => {
    const layout = lineLayout(rows.relationship.get(id)?.line);
    return layout ? setLayout(rows, id, { ...layout, via: [] }) : [];
  });
}

/** Moves waypoints with components, for lines whose ends both move by the same distance, except the given lines. */
export function moveWaypoints(
  rows: Rows,
  moves: readonly Move[],
  except: ReadonlySet<string> = new Set(),
): Operation[] {
  const shifts = new Map<string, Point>();
  for (const { id, x, y } of moves) {
    const before = rows.component.get(id);
    if (before) shifts.set(id, { x: x - before.x, y: y - before.y });
  }
  return [...rows.relationship.values()].flatMap(({ id, sourceId, targetId, line }) => {
    if (except.has(id)) return [];
    const [source, target] = [shifts.get(sourceId), shifts.get(targetId)];
    const layout = source && target ? lineLayout(line) : undefined;
    return layout && source && target ? setLayout(rows, id, movedLayout(layout, source, target)) : [];
  });
}
