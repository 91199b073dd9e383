/** The operations of table actions. */
import type { Component, Relationship } from '@/api/generated';
import { buildContainment, CONTAINS, isSelfOrAncestor } from '@/core/containment/containment';
import { updateOperation } from '@/core/model/edits';
import type { Point } from '@/core/scene/geometry';
import type { Fields, Operation } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';

export function deleteOperation(
  kind: 'component' | 'relationship',
  row: Component | Relationship,
): Operation {
  return { op: 'delete', kind, id: row.id, base: row.revision, fields: {} };
}

/** Creates a component. If its fields contain no position, the server chooses it; until then, it is shown at `place`. */
export function createComponentOperation(
  rows: Rows,
  id: string,
  fields: Fields,
  place: Point = importOrigin(rows),
): Operation {
  const { x, y } = place;
  const create = { op: 'create', kind: 'component', id } as const;
  return 'x' in fields || 'y' in fields
    ? { ...create, fields: { x, y, ...fields } }
    : { ...create, fields, place: { x, y } };
}

/** The result of changing the type of relationships. */
export interface TypeChange {
  operations: Operation[];
  /**
   * The number of relationships that cannot have the type, because a component would have two parents or contain
   * itself.
   */
  refused: number;
}

/** Changes the type of relationships, skipping those that cannot have it or already have it. */
export function changeRelationshipTypes(
  rows: Pick<Rows, 'component' | 'relationship'>,
  ids: Iterable<string>,
  typeId: string,
): TypeChange {
  const result: TypeChange = { operations: [], refused: 0 };
  const parent = new Map(buildContainment(rows.relationship.values(), rows.component).parent);
  for (const id of ids) {
    const relationship = rows.relationship.get(id);
    if (!relationship || relationship.typeId === typeId) continue;
    const { sourceId, targetId } = relationship;
    if (typeId === CONTAINS && (parent.has(targetId) || isSelfOrAncestor(parent, targetId, sourceId))) {
      result.refused += 1;
      continue;
    }
    if (typeId === CONTAINS) parent.set(targetId, sourceId);
    result.operations.push(...updateOperation('relationship', id, relationship, { typeId }));
  }
  return result;
}

/** The result of renaming a property. */
export interface PropertyRename {
  operations: Operation[];
  /** Components that already have a property with the new name. Both properties are left unchanged. */
  conflicting: Component[];
}

/** Renames a property on all components, preserving its value and position. */
export function renameProperty(
  { component }: Pick<Rows, 'component'>,
  from: string,
  to: string,
): PropertyRename {
  const result: PropertyRename = { operations: [], conflicting: [] };
  for (const row of component.values()) {
    if (!Object.hasOwn(row.properties, from) || from === to) continue;
    if (Object.hasOwn(row.properties, to)) {
      result.conflicting.push(row);
      continue;
    }
    const renamed = Object.entries(row.properties).map(([key, value]) => [key === from ? to : key, value]);
    result.operations.push(
      ...updateOperation('component', row.id, row, { properties: Object.fromEntries(renamed) }),
    );
  }
  return result;
}

/** The position of the first of several components that are created together, below all others. */
export function importOrigin({ component }: Pick<Rows, 'component'>): Point {
  let left = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const { x, y, height } of component.values()) {
    left = Math.min(left, x);
    bottom = Math.max(bottom, y + (height ?? 0));
  }
  return component.size > 0 ? { x: left, y: bottom + DISTANCE } : { x: 0, y: 0 };
}

const DISTANCE = 220;
