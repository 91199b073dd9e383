/** Relationships as CSV. */
import type { Relationship } from '@/api/generated';
import { formatKeywords } from '../model/keywords';
import { formatCsv } from '../table/csv';
import type { ExportModel } from './model';

export function relationshipsCsv(
  relationships: readonly (Pick<Relationship, 'id' | 'sourceId' | 'targetId' | 'typeId' | 'label'> &
    Partial<Pick<Relationship, 'technology'>>)[],
  components: ReadonlyMap<string, { name: string }>,
  { relationTypes }: ExportModel['catalogue'],
): string {
  const types = new Map(relationTypes.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => components.get(id)?.name ?? '';
  return formatCsv(
    ['id', 'sourceId', 'source', 'targetId', 'target', 'typeId', 'type', 'label', 'technology'],
    relationships.map(({ id, sourceId, targetId, typeId, label = '', technology }) => [
      id,
      sourceId,
      nameOf(sourceId),
      targetId,
      nameOf(targetId),
      typeId,
      types.get(typeId) ?? typeId,
      label,
      formatKeywords(technology),
    ]),
  );
}
