/** The rows of the relationship table, with the names of both ends. */
import type { Catalogue, Relationship } from '@/api/generated';
import type { Rows } from '@/core/sync/rows';

export interface RelationshipRow {
  id: string;
  relationship: Relationship;
  source: string;
  target: string;
  typeName: string;
}

export function relationshipRows(rows: Rows, { relationTypes }: Catalogue): RelationshipRow[] {
  const types = new Map(relationTypes.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => rows.component.get(id)?.name ?? id;
  return [...rows.relationship.values()].map((relationship) => ({
    id: relationship.id,
    relationship,
    source: nameOf(relationship.sourceId),
    target: nameOf(relationship.targetId),
    typeName: types.get(relationship.typeId) ?? relationship.typeId,
  }));
}
