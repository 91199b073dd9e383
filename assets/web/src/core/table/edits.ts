/** What the table does to a workspace, as operations. */
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

/** A new component below all others. `at` is its index among components that are created together. */
export function createComponentOperation(rows: Rows, id: string, fields: Fields, at = 0): Operation {
  return { op: 'create', kind: 'component', id, fields: { ...nextPosition(rows, at), ...fields } };
}

/** How relationships would get another type. */
export interface TypeChange {
  operations: Operation[];
  /** How many cannot have it: one would be a part of two, or of itself. */
  refused: number;
}

/** Gives relationships a type, but those that cannot have it and those that have it already. */
export function changeRelationshipTypes(
  rows: Pick<Rows, 'component' | 'relationship'>,
  ids: Iterable<string>,
  typeId: string,
): TypeChange {
  const result: TypeChange = { operations: [], refused: 0 };
  const parent = new Map(buildContainment(rows.relationship.values(), rows.component).parent);
  for (const id of ids) {
    const one = rows.relationship.get(id);
    if (!one || one.typeId === typeId) continue;
    const { sourceId, targetId } = one;
    if (typeId === CONTAINS && (parent.has(targetId) || isSelfOrAncestor(parent, targetId, sourceId))) {
      result.refused += 1;
      continue;
    }
    if (typeId === CONTAINS) parent.set(targetId, sourceId);
    result.operations.push(...updateOperation('relationship', id, one, { typeId }));
  }
  return result;
}

/** How a property would get another name. */
export interface PropertyRename {
  operations: Operation[];
  /** Components that have a property of the new name already: they keep both as they are. */
  inTheWay: Component[];
}

/** Gives a property another name wherever it is; its value and its place among the others stay. */
export function renameProperty(
  { component }: Pick<Rows, 'component'>,
  from: string,
  to: string,
): PropertyRename {
  const result: PropertyRename = { operations: [], inTheWay: [] };
  for (const one of component.values()) {
    if (!Object.hasOwn(one.properties, from) || from === to) continue;
    if (Object.hasOwn(one.properties, to)) {
      result.inTheWay.push(one);
      continue;
    }
    const renamed = Object.entries(one.properties).map(([key, value]) => [key === from ? to : key, value]);
    result.operations.push(
      ...updateOperation('component', one.id, one, { properties: Object.fromEntries(renamed) }),
    );
  }
  return result;
}

const STEP = { x: 220, y: 110 };
const ACROSS = 8;

function nextPosition({ component }: Rows, at: number): { x: number; y: number } {
  let left = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const { x, y } of component.values()) {
    left = Math.min(left, x);
    bottom = Math.max(bottom, y);
  }
  const origin = component.size > 0 ? { x: left, y: bottom + 2 * STEP.y } : { x: 0, y: 0 };
  return { x: origin.x + (at % ACROSS) * STEP.x, y: origin.y + Math.floor(at / ACROSS) * STEP.y };
}
