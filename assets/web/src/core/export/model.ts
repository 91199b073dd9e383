/** The rows of an exported map: all of them or a selection. */
import type { Catalogue, Component, Relationship } from '@/api/generated';

export interface ExportModel {
  name: string;
  components: readonly Pick<Component, 'id' | 'name' | 'typeId' | 'x' | 'y'>[];
  relationships: readonly Pick<Relationship, 'id' | 'sourceId' | 'targetId' | 'typeId' | 'label'>[];
  catalogue: Pick<Catalogue, 'componentTypes' | 'relationTypes'>;
}
