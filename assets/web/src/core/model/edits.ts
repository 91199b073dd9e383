/** Operations for forms and bulk edits. Unchanged rows produce no operations. */

import type { Component, Stakeholder } from '@/api/generated';
import { newId } from '@/core/newId';
import { isSameValue } from '../sync/merge';
import type { Fields, Operation } from '../sync/operation';
import { type Kind, mapOf, type Rows } from '../sync/rows';
import { CUSTOM_TYPE_PROPERTY, customTypeOf } from './customTypes';
import type { KeywordField } from './keywords';
import { type Holder, holderOf, type Model, OWNER } from './model';

/** The update that sets these fields; empty if they are already set or the row was deleted. */
export function updateRow(rows: Rows, kind: Kind, id: string, fields: Fields): Operation[] {
  const row = mapOf(rows, kind).get(id) as (Fields & { revision: number }) | undefined;
  return row ? updateOperation(kind, id, row, fields) : [];
}

/** Like `updateRow`, for a row captured when editing began. */
export function updateOperation(
  kind: Kind,
  id: string,
  row: { revision: number },
  fields: Fields,
): Operation[] {
  const current = row as Fields & { revision: number };
  const changed = Object.entries(fields).filter(([field, value]) => !isSameValue(current[field], value));
  if (changed.length === 0) return [];
  const before = Object.fromEntries(changed.map(([field]) => [field, current[field]]));
  return [{ op: 'update', kind, id, fields: Object.fromEntries(changed), before, base: current.revision }];
}

/** The properties with one entry changed, or removed if `value` is undefined. */
export function withProperty(
  properties: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): Record<string, unknown> {
  const { [key]: _, ...others } = properties;
  if (value === undefined) return others;
  // Existing keys keep their position.
  return key in properties ? { ...properties, [key]: value } : { ...others, [key]: value };
}

/** Sets the type of components: a catalog type, or a custom type by its property value. */
export function setType(model: Model, ids: Iterable<string>, typeId: string, custom?: string): Operation[] {
  return each(model.rows, ids, (component) => {
    const { id, properties } = component;
    // A `kind` that refers to no custom type is a user-defined property and stays unchanged.
    const hasCustom = customTypeOf(model.customTypes, component) !== undefined;
    const isNamed = custom !== undefined || hasCustom;
    return updateRow(model.rows, 'component', id, {
      typeId,
      ...(isNamed ? { properties: withProperty(properties, CUSTOM_TYPE_PROPERTY, custom) } : {}),
    });
  });
}

/** Sets the lifecycle of components; `''` removes it. */
export function setLifecycle(rows: Rows, ids: Iterable<string>, lifecycle: string): Operation[] {
  return each(rows, ids, ({ id, properties }) =>
    updateRow(rows, 'component', id, {
      properties: withProperty(properties, 'lifecycle', lifecycle || undefined),
    }),
  );
}

/** Adds a person or team in a role to each component that does not have it yet. */
export function addStakeholder(
  model: Model,
  ids: Iterable<string>,
  holder: Holder,
  linkType: string,
): Operation[] {
  return each(model.rows, ids, ({ id: componentId }) => {
    const links = model.stakeholders.get(componentId) ?? [];
    const isSame = (personId: string | null, teamId: string | null) =>
      holder.kind === 'person' ? personId === holder.id : teamId === holder.id;
    if (links.some((link) => link.linkType === linkType && isSame(link.personId, link.teamId))) return [];
    return [newStakeholder(componentId, holder, linkType)];
  });
}

/** Adds a person or team in a role to a component. */
export function newStakeholder(componentId: string, { kind, id, name }: Holder, linkType: string): Operation {
  const holder =
    kind === 'person' ? { personId: id, person: { id, name } } : { teamId: id, team: { id, name } };
  return {
    op: 'create',
    kind: 'stakeholder',
    id: `new-${newId()}`,
    fields: { componentId, linkType, ...holder },
  };
}

/** Changes the role of a stakeholder; empty if they already have it. */
export function changeStakeholderRole(model: Model, link: Stakeholder, linkType: string): Operation[] {
  const holder = keyOf(holderOf(link));
  const others = model.stakeholders.get(link.componentId) ?? [];
  if (others.some((link) => link.linkType === linkType && keyOf(holderOf(link)) === holder)) return [];
  const before = { componentId: link.componentId, linkType: link.linkType };
  return [
    {
      op: 'update',
      kind: 'stakeholder',
      id: String(link.id),
      fields: { linkType },
      before,
      base: link.revision,
    },
  ];
}

/** Makes these holders the only owners of each component. */
export function setOwners(model: Model, ids: readonly string[], holders: readonly Holder[]): Operation[] {
  const isKept = (link: Stakeholder) => holders.some((holder) => keyOf(holder) === keyOf(holderOf(link)));
  const others = deleteOwners(model, ids, (link) => !isKept(link));
  return [...others, ...holders.flatMap((holder) => addStakeholder(model, ids, holder, OWNER))];
}

/** Removes a person or team from the owners of each component. */
export function removeOwner(model: Model, ids: readonly string[], holder: Holder): Operation[] {
  return deleteOwners(model, ids, (link) => keyOf(holderOf(link)) === keyOf(holder));
}

function deleteOwners(
  model: Model,
  ids: readonly string[],
  isDeleted: (link: Stakeholder) => boolean,
): Operation[] {
  return ids
    .flatMap((id) => model.stakeholders.get(id) ?? [])
    .filter((link) => link.linkType === OWNER && isDeleted(link))
    .map(({ id, revision, componentId }) => ({
      op: 'delete',
      kind: 'stakeholder',
      id: String(id),
      base: revision,
      fields: { componentId },
    }));
}

/** Adds and removes tags or technologies of components. Other values keep their order. */
export function changeKeywords(
  rows: Rows,
  ids: Iterable<string>,
  field: KeywordField,
  { added, removed }: { added: readonly string[]; removed: ReadonlySet<string> },
): Operation[] {
  return each(rows, ids, (component) => {
    const kept = (component[field] ?? []).filter((keyword) => !removed.has(keyword));
    return updateRow(rows, 'component', component.id, { [field]: [...new Set([...kept, ...added])] });
  });
}

function keyOf({ kind, id }: Holder): string {
  return `${kind}/${id}`;
}

function each(rows: Rows, ids: Iterable<string>, work: (component: Component) => Operation[]): Operation[] {
  return [...ids].flatMap((id) => {
    const component = rows.component.get(id);
    return component ? work(component) : [];
  });
}
