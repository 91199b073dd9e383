/** The rows of the component table, with counts and looked-up names. */
import type { Catalogue, Component, Role } from '@/api/generated';
import { buildContainment } from '@/core/containment/containment';
import { type Holder, holderOf, OWNER } from '@/core/model/model';
import type { Rows } from '@/core/sync/rows';

export interface ComponentRow {
  id: string;
  component: Component;
  typeName: string;
  /** The name of the group that contains the component, and its ID; empty if there is none. */
  partOf: string;
  parentId: string;
  /** The names of the owners. */
  owners: string;
  ownerList: readonly Holder[];
  /** The owners as a choice ID; see `ownersKey`. */
  ownersKey: string;
  /** All stakeholders with their roles. */
  stakeholders: string;
  /** The number of incoming relationships. */
  incoming: number;
  outgoing: number;
  /** The number of open comment threads. */
  comments: number;
}

/** The choice ID of a set of owners, independent of their order. */
export function ownersKey(holders: readonly Pick<Holder, 'kind' | 'id'>[]): string {
  return JSON.stringify(holders.map(({ kind, id }) => [kind, id]).sort());
}

export function componentRows(
  rows: Pick<Rows, 'component' | 'relationship' | 'stakeholder'>,
  catalogue: Catalogue,
  roles: readonly Pick<Role, 'id' | 'name'>[],
  comments: ReadonlyMap<string, { open: number }> = new Map(),
): ComponentRow[] {
  const types = new Map(catalogue.componentTypes.map(({ id, name }) => [id, name]));
  const roleNames = new Map([...catalogue.stakeholderLinkTypes, ...roles].map(({ id, name }) => [id, name]));
  const incoming = new Map<string, number>();
  const outgoing = new Map<string, number>();
  for (const { sourceId, targetId } of rows.relationship.values()) {
    count(outgoing, sourceId);
    count(incoming, targetId);
  }
  const holders = new Map<string, Holder[]>();
  const all = new Map<string, string[]>();
  for (const link of rows.stakeholder.values()) {
    const { componentId, linkType, person, team } = link;
    const name = person?.name ?? team?.name ?? '';
    if (linkType === OWNER) add(holders, componentId, holderOf(link));
    add(all, componentId, `${name} (${roleNames.get(linkType) ?? linkType})`);
  }
  const { parent } = buildContainment(rows.relationship.values(), rows.component);
  return [...rows.component.values()].map((component) => {
    const ownerList = holders.get(component.id) ?? [];
    return {
      id: component.id,
      component,
      parentId: parent.get(component.id) ?? '',
      partOf: rows.component.get(parent.get(component.id) ?? '')?.name ?? '',
      typeName: types.get(component.typeId) ?? component.typeId,
      owners: ownerList.map(({ name }) => name).join(', '),
      ownerList,
      ownersKey: ownersKey(ownerList),
      stakeholders: (all.get(component.id) ?? []).join(', '),
      incoming: incoming.get(component.id) ?? 0,
      outgoing: outgoing.get(component.id) ?? 0,
      comments: comments.get(component.id)?.open ?? 0,
    };
  });
}

function count(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1);
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
