/** Components and relationships as CSV. */
import type { Component, LifecycleState, Relationship } from '@/api/generated';
import { buildContainment } from '../containment/containment';
import { formatCsv } from '../table/csv';
import type { ExportModel } from './scene';

type Names = ExportModel['catalogue'] & { lifecycleStates?: readonly LifecycleState[] };

export function componentsCsv(
  components: readonly Pick<Component, 'id' | 'name' | 'typeId' | 'description' | 'x' | 'y' | 'properties'>[],
  relationships: readonly Pick<Relationship, 'sourceId' | 'targetId' | 'typeId'>[],
  { componentTypes }: Names,
): string {
  const types = new Map(componentTypes.map(({ id, name }) => [id, name]));
  const { parent } = buildContainment(relationships);
  return formatCsv(
    ['id', 'name', 'typeId', 'type', 'description', 'lifecycle', 'partOf', 'x', 'y', 'properties'],
    components.map(({ id, name, typeId, description = '', x, y, properties }) => {
      const { lifecycle = '', ...others } = properties as Record<string, unknown>;
      const more = Object.keys(others).length > 0 ? JSON.stringify(others) : '';
      const type = types.get(typeId) ?? typeId;
      return [id, name, typeId, type, description, String(lifecycle), parent.get(id) ?? '', x, y, more];
    }),
  );
}

export function relationshipsCsv(
  relationships: readonly Pick<Relationship, 'id' | 'sourceId' | 'targetId' | 'typeId' | 'label'>[],
  components: ReadonlyMap<string, { name: string }>,
  { relationTypes }: Names,
): string {
  const types = new Map(relationTypes.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => components.get(id)?.name ?? '';
  return formatCsv(
    ['id', 'sourceId', 'source', 'targetId', 'target', 'typeId', 'type', 'label'],
    relationships.map(({ id, sourceId, targetId, typeId, label = '' }) => [
      id,
      sourceId,
      nameOf(sourceId),
      targetId,
      nameOf(targetId),
      typeId,
      types.get(typeId) ?? typeId,
      label,
    ]),
  );
}
