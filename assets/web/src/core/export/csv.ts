/** Components and relationships as CSV. */
import type { Component, LifecycleState, Relationship } from '@/api/generated';
import { buildContainment } from '../containment/containment';
import { formatKeywords } from '../model/keywords';
import { formatCsv } from '../table/csv';
import type { ExportModel } from './model';

type Names = ExportModel['catalogue'] & { lifecycleStates?: readonly LifecycleState[] };

export function componentsCsv(
  components: readonly (Pick<Component, 'id' | 'name' | 'typeId' | 'description' | 'x' | 'y' | 'properties'> &
    Partial<Pick<Component, 'technology' | 'tags'>>)[],
  relationships: readonly Pick<Relationship, 'sourceId' | 'targetId' | 'typeId'>[],
  { componentTypes }: Names,
): string {
  const types = new Map(componentTypes.map(({ id, name }) => [id, name]));
  const { parent } = buildContainment(relationships);
  return formatCsv(
    [
      'id',
      'name',
      'typeId',
      'type',
      'description',
      'lifecycle',
      'partOf',
      'x',
      'y',
      'properties',
      'technology',
      'tags',
    ],
    components.map(({ id, name, typeId, description = '', x, y, properties, technology, tags }) => {
      const { lifecycle = '', ...others } = properties as Record<string, unknown>;
      const more = Object.keys(others).length > 0 ? JSON.stringify(others) : '';
      const type = types.get(typeId) ?? typeId;
      const keywords = [formatKeywords(technology), formatKeywords(tags)];
      return [
        ...[id, name, typeId, type, description, String(lifecycle), parent.get(id) ?? '', x, y, more],
        ...keywords,
      ];
    }),
  );
}

export function relationshipsCsv(
  relationships: readonly (Pick<Relationship, 'id' | 'sourceId' | 'targetId' | 'typeId' | 'label'> &
    Partial<Pick<Relationship, 'technology'>>)[],
  components: ReadonlyMap<string, { name: string }>,
  { relationTypes }: Names,
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
