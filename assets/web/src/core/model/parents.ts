/** The group that a component is part of: which groups are valid, and the operations that change it. */
import type { Component } from '@/api/generated';
import { buildContainment, CONTAINS, isSelfOrAncestor } from '../containment/containment';
import { relationshipId } from '../ids';
import type { Operation } from '../sync/operation';
import type { Rows } from '../sync/rows';

type MapRows = Pick<Rows, 'component' | 'relationship'>;

/** The operation that adds a relationship. Adds its ID to `taken`. */
export function addRelationship(
  rows: Pick<Rows, 'relationship'>,
  fields: { sourceId: string; targetId: string; typeId: string },
  taken: Set<string>,
): Extract<Operation, { op: 'create' }> {
  const id = relationshipId(fields, (candidate) => taken.has(candidate) || rows.relationship.has(candidate));
  taken.add(id);
  return { op: 'create', kind: 'relationship', id, fields };
}

/**
 * Makes components parts of a group, or of none. Their previous `contains` relationships are deleted. Components that
 * already are parts of it, or that contain it, are skipped.
 */
export function setParent(rows: MapRows, ids: Iterable<string>, parent: string | null): Operation[] {
  const containment = buildContainment(rows.relationship.values(), rows.component);
  const changed = new Set(
    [...ids].filter(
      (id) =>
        rows.component.has(id) &&
        (containment.parent.get(id) ?? null) !== parent &&
        (parent === null || !isSelfOrAncestor(containment.parent, id, parent)),
    ),
  );
  const taken = new Set<string>();
  const removed = [...rows.relationship.values()].filter(
    ({ typeId, targetId }) => typeId === CONTAINS && changed.has(targetId),
  );
  const operations = removed.map(
    ({ id, revision }): Operation => ({
      op: 'delete',
      kind: 'relationship',
      id,
      base: revision,
      fields: {},
    }),
  );
  if (parent === null) return operations;
  const added = [...changed].map((targetId) =>
    addRelationship(rows, { sourceId: parent, targetId, typeId: CONTAINS }, taken),
  );
  return [...operations, ...added];
}

/** The components that all given components can be part of. */
export function possibleParents(rows: MapRows, ids: readonly string[]): Component[] {
  const { parent } = buildContainment(rows.relationship.values(), rows.component);
  return [...rows.component.values()].filter(
    (candidate) => !ids.some((id) => isSelfOrAncestor(parent, id, candidate.id)),
  );
}
