/** A small workspace for tests. */
import type { Bundle, Component, Relationship } from '@/api/generated';
import { type Rows, toRows } from './rows';

export const metadata = {
  createdAt: 0,
  updatedAt: 0,
  createdBy: 1,
  updatedBy: 1,
  workspaceId: 'shop',
  properties: {},
};

/** A workspace with two components and a relationship. */
export function shop(): Rows {
  const workspace = {
    ...metadata,
    id: 'shop',
    name: 'Shop',
    revision: 7,
    ownerUserId: 1,
    orgId: 'o',
    visibility: 'org',
    myRole: 'editor',
  };
  const component = (id: string) => ({
    ...metadata,
    id,
    typeId: 'service',
    name: id,
    x: 0,
    y: 0,
    revision: 3,
  });
  const relationship = {
    ...metadata,
    id: 'web--calls--api',
    sourceId: 'web',
    targetId: 'api',
    typeId: 'calls',
    revision: 4,
  };
  return toRows({
    workspace,
    components: [component('web'), component('api')],
    relationships: [relationship],
    stakeholders: [],
    processes: [],
    places: { components: [10, 20], relationships: [10], processes: [] },
  } as unknown as Bundle);
}

/** A workspace with three unconnected components, which counts passes over its relationships. */
export function countingRows(): { rows: Rows; passes: () => number } {
  const rows = shop();
  const web = rows.component.get('web') as Component;
  let passes = 0;
  class Counted<K, V> extends Map<K, V> {
    override [Symbol.iterator]() {
      passes += 1;
      return super[Symbol.iterator]();
    }
  }
  const component = new Map(rows.component);
  for (const id of ['a', 'b', 'c']) component.set(id, { ...web, id });
  const relationship = new Counted<string, Relationship>();
  for (const [id, row] of rows.relationship) relationship.set(id, row);
  return { rows: { ...rows, component, relationship }, passes: () => passes };
}
