/** The rows of a workspace as a view shows them: a part of the components, with positions and lines of their own. */
import type { Component, Relationship, RelationshipLine } from '@/api/generated';
import { ancestorsOf, CONTAINS, type Containment } from '@/core/containment/containment';
import type { Point } from '../scene/geometry';
import type { Rows } from '../sync/rows';
import type { ImpliedRelationship } from './resolve';

/** The layout of a view with an own layout. */
export interface OwnLayout {
  positions: ReadonlyMap<string, Point>;
  lines: ReadonlyMap<string, RelationshipLine>;
}

/** All components, with the positions of an own layout. */
export function arrangedComponents(
  component: Rows['component'],
  positions: OwnLayout['positions'],
): Rows['component'] {
  const arranged = new Map(component);
  for (const [id, at] of positions) {
    const row = component.get(id);
    if (row) arranged.set(id, placed(row, at));
  }
  return arranged;
}

/** All relationships, with the lines of an own layout. The waypoints of the map belong to the positions of the map. */
export function arrangedRelationships(
  relationship: Rows['relationship'],
  lines: OwnLayout['lines'],
): Rows['relationship'] {
  const arranged = new Map(relationship);
  for (const [id, row] of relationship) {
    const line = lines.get(id);
    if (line || row.line) arranged.set(id, withLine(row, line ?? null));
  }
  return arranged;
}

/** The components that a view draws. */
export function memberComponents(
  component: Rows['component'],
  members: ReadonlySet<string>,
): Rows['component'] {
  return new Map([...component].filter(([id]) => members.has(id)));
}

/**
 * The relationships that a view draws. A component whose group is not in the view is drawn in the next group around it.
 * Containment is always drawn.
 */
export function memberRelationships(
  relationship: Rows['relationship'],
  containment: Containment,
  members: ReadonlySet<string>,
  relationshipIds: ReadonlySet<string>,
  hasLabels: boolean,
): Rows['relationship'] {
  const shown = new Map<string, Relationship>();
  for (const [id, row] of relationship) {
    if (row.typeId !== CONTAINS) {
      if (relationshipIds.has(id)) shown.set(id, hasLabels ? row : withoutLabel(row));
      continue;
    }
    if (!members.has(row.targetId)) continue;
    const group = members.has(row.sourceId)
      ? row.sourceId
      : ancestorsOf(containment, row.targetId).find((ancestor) => members.has(ancestor));
    if (group !== undefined) shown.set(id, within(row, group));
  }
  return shown;
}

/** The component on which the lines of each hidden end of an implied relationship are drawn. */
export function liftedEnds(
  relationship: Rows['relationship'],
  implied: readonly ImpliedRelationship[],
): ReadonlyMap<string, string> {
  const lifted = new Map<string, string>();
  for (const { relationshipId, sourceId, targetId } of implied) {
    const row = relationship.get(relationshipId);
    if (!row) continue;
    if (row.sourceId !== sourceId) lifted.set(row.sourceId, sourceId);
    if (row.targetId !== targetId) lifted.set(row.targetId, targetId);
  }
  return lifted;
}

const placedRows = new WeakMap<Component, Component>();

/** Returns the same object for the same position, so that unchanged cards are not measured again. */
function placed(row: Component, { x, y }: Point): Component {
  if (row.x === x && row.y === y) return row;
  const known = placedRows.get(row);
  if (known?.x === x && known.y === y) return known;
  const next = { ...row, x, y };
  placedRows.set(row, next);
  return next;
}

const linedRows = new WeakMap<Relationship, Relationship>();

function withLine(row: Relationship, line: RelationshipLine | null): Relationship {
  const known = linedRows.get(row);
  if (known && known.line === line) return known;
  const next = { ...row, line };
  linedRows.set(row, next);
  return next;
}

const unlabeledRows = new WeakMap<Relationship, Relationship>();

function withoutLabel(row: Relationship): Relationship {
  if (!row.label) return row;
  const known = unlabeledRows.get(row);
  if (known) return known;
  const { label: _, ...next } = row;
  unlabeledRows.set(row, next);
  return next;
}

const movedRows = new WeakMap<Relationship, Relationship>();

/** Containment by another group. */
function within(row: Relationship, sourceId: string): Relationship {
  if (row.sourceId === sourceId) return row;
  const known = movedRows.get(row);
  if (known?.sourceId === sourceId) return known;
  const next = { ...row, sourceId };
  movedRows.set(row, next);
  return next;
}
