/** Small maps for tests. */
import type { Component, Relationship } from '@/api/generated';
import type { Rows } from '../sync/rows';

/** Components as ID, x, y; relationships as source, type, target. */
export function testRows(
  components: readonly (readonly [string, number, number])[],
  relationships: readonly (readonly [string, string, string])[] = [],
): Pick<Rows, 'component' | 'relationship'> {
  const stamps = { revision: 1, properties: {}, workspaceId: 'w', createdAt: 0, updatedAt: 0 };
  const rows = components.map(([id, x, y]) => ({ ...stamps, id, typeId: 'service', name: id, x, y }));
  const lines = relationships.map(([sourceId, typeId, targetId], at) => ({
    ...stamps,
    id: `r${at}`,
    sourceId,
    typeId,
    targetId,
  }));
  return {
    component: new Map(rows.map((row) => [row.id, row as unknown as Component])),
    relationship: new Map(lines.map((row) => [row.id, row as unknown as Relationship])),
  };
}
