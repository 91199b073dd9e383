/** The type of new relationships: the one that was used last in this browser. */
import { CONTAINS } from '@/core/containment/containment';
import { currentModel } from '@/workspace/model';

const DEFAULT_TYPE = 'uses';
const KEY = 'planroom.relationshipType';

export function newRelationshipType(): string {
  const last = localStorage.getItem(KEY);
  const isKnown = currentModel()?.catalogue.relationTypes.some(({ id }) => id === last);
  return last !== null && isKnown ? last : DEFAULT_TYPE;
}

/** Remembers a type for the next relationship. Groups are made in other ways, so containment is not remembered. */
export function rememberRelationshipType(typeId: string): void {
  if (typeId !== CONTAINS) localStorage.setItem(KEY, typeId);
}
