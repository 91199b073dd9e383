/** The type of new relationships: the last one used in this browser. */
import { CONTAINS } from '@/core/containment/containment';
import { currentModel } from '@/workspace/model';

const DEFAULT_TYPE = 'uses';
const KEY = 'planroom.relationshipType';

export function newRelationshipType(): string {
  const last = localStorage.getItem(KEY);
  const isKnown = currentModel()?.catalogue.relationTypes.some(({ id }) => id === last);
  return last !== null && isKnown ? last : DEFAULT_TYPE;
}

/**
 * Remembers a type for the next relationship. Containment is not remembered, because groups are created differently.
 */
export function rememberRelationshipType(typeId: string): void {
  if (typeId !== CONTAINS) localStorage.setItem(KEY, typeId);
}
