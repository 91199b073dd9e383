/** The group that a component is part of: which groups are valid, and the operations that change it. */
import type { Catalogue, Component } from '@/api/generated';
import { buildContainment, CONTAINS, GROUP_TYPE, isSelfOrAncestor } from '../containment/containment';
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
 * The given components that would change their group: those that are not parts of it already, and do not contain it.
 * `parent` is null for no group.
 */
export function changedByParent(rows: MapRows, ids: Iterable<string>, parent: string | null): string[] {
  const containment = buildContainment(rows.relationship.values(), rows.component);
  return [...new Set(ids)].filter(
    (id) =>
      rows.component.has(id) &&
      (containment.parent.get(id) ?? null) !== parent &&
      (parent === null || !isSelfOrAncestor(containment.parent, id, parent)),
  );
}

/**
 * Makes components parts of a group, or of none. Their previous `contains` relationships are deleted. Adds the IDs of
 * new relationships to `taken`.
 */
export function setParent(
  rows: MapRows,
  ids: Iterable<string>,
  parent: string | null,
  taken = new Set<string>(),
): Operation[] {
  const changed = new Set(changedByParent(rows, ids, parent));
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

/**
 * Sets the group of each component, or of none. The previous `contains` relationships are deleted first, so that
 * components can be exchanged between groups. The result must contain no cycle.
 */
export function setParents(rows: MapRows, parents: ReadonlyMap<string, string | null>): Operation[] {
  const removed = [...rows.relationship.values()].filter(
    ({ typeId, targetId }) => typeId === CONTAINS && parents.has(targetId),
  );
  const taken = new Set<string>();
  return [
    ...removed.map(
      ({ id, revision }): Operation => ({
        op: 'delete',
        kind: 'relationship',
        id,
        base: revision,
        fields: {},
      }),
    ),
    ...[...parents].flatMap(([targetId, sourceId]) =>
      sourceId === null ? [] : addRelationship(rows, { sourceId, targetId, typeId: CONTAINS }, taken),
    ),
  ];
}

/** The components that all given components can be part of. */
export function possibleParents(rows: MapRows, ids: readonly string[]): Component[] {
  const { parent } = buildContainment(rows.relationship.values(), rows.component);
  return [...rows.component.values()].filter(
    (candidate) => !ids.some((id) => isSelfOrAncestor(parent, id, candidate.id)),
  );
}

/** An entry of a list of groups. */
export interface ParentItem {
  /** Empty for no group. */
  id: string;
  name: string;
  /** The type, to distinguish groups with the same name. */
  hint?: string;
}

/** The groups that all given components can be part of, beginning with none. Components that are groups come first. */
export function parentItems(
  rows: MapRows,
  { componentTypes }: Pick<Catalogue, 'componentTypes'>,
  ids: readonly string[],
): ParentItem[] {
  const { children } = buildContainment(rows.relationship.values(), rows.component);
  const isGroup = ({ id, typeId }: Component) => typeId === GROUP_TYPE || children.has(id);
  const typeNames = new Map(componentTypes.map(({ id, name }) => [id, name]));
  const sorted = possibleParents(rows, ids).sort(
    (a, b) => Number(isGroup(b)) - Number(isGroup(a)) || a.name.localeCompare(b.name),
  );
  return [
    { id: '', name: 'None' },
    ...sorted.map(({ id, name, typeId }) => ({ id, name, hint: typeNames.get(typeId) ?? typeId })),
  ];
}

/** The value of a field for components of different groups. Not the ID of a component. */
export const MIXED_PARENTS = '\u0000mixed';

/** The group that all components are part of: its ID, '' for none, or undefined if they differ. */
export function sharedParent(rows: MapRows, ids: readonly string[]): string | undefined {
  const { parent } = buildContainment(rows.relationship.values(), rows.component);
  const [first = '', ...others] = new Set(ids.map((id) => parent.get(id) ?? ''));
  return others.length === 0 ? first : undefined;
}
