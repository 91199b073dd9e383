/** The operations of table actions. */
import type { Component, Relationship } from '@/api/generated';
import { buildContainment, CONTAINS, isSelfOrAncestor } from '@/core/containment/containment';
import { updateOperation } from '@/core/model/edits';
import type { Fields, Operation } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';

export function deleteOperation(
  kind: 'component' | 'relationship',
  row: Component | Relationship,
): Operation {
  return { op: 'delete', kind, id: row.id, base: row.revision, fields: {} };
}

/** Creates a component below all others. `at` is its index among components created together. */
export function createComponentOperation(rows: Rows, id: string, fields: Fields, at = 0): Operation {
  return { op: 'create', kind: 'component', id, fields: { ...nextPosition(rows, at), ...fields } };
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

const STEP = { x: 220, y: 110 };
const ACROSS = 8;

function nextPosition({ component }: Rows, at: number): { x: number; y: number } {
  let left = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const { x, y, height } of component.values()) {
    left = Math.min(left, x);
    bottom = Math.max(bottom, y + (height ?? 0));
  }
  const origin = component.size > 0 ? { x: left, y: bottom + 2 * STEP.y } : { x: 0, y: 0 };
  return { x: origin.x + (at % ACROSS) * STEP.x, y: origin.y + Math.floor(at / ACROSS) * STEP.y };
}
