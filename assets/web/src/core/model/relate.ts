/** Validation and ids of new relationships. */
import { newId } from '@/core/sync/id';
import { CONTAINS, type Model, partsOf } from './model';

/** Why a relationship of this type is not possible; `except` is the one being replaced. */
export function whyNotRelated(
  model: Model,
  { sourceId, typeId, targetId }: { sourceId: string; typeId: string; targetId: string },
  except?: string,
): string | undefined {
  const name = (id: string) => `“${model.rows.component.get(id)?.name ?? id}”`;
  if (typeId !== CONTAINS) return undefined;
  if (sourceId === targetId) return 'A component can’t contain itself.';
  const parent = model.incoming.get(targetId)?.find((one) => one.typeId === CONTAINS && one.id !== except);
  if (parent)
    return `${name(targetId)} is already part of ${name(parent.sourceId)}. Remove it from there first.`;
  if (partsOf(model, targetId).has(sourceId)) {
    return `${name(sourceId)} is part of ${name(targetId)} and can’t contain it.`;
  }
  return undefined;
}

/** A unique id derived from the ends and the type. */
export function relationshipId(model: Model, sourceId: string, typeId: string, targetId: string): string {
  const plain = `${sourceId}--${typeId}--${targetId}`;
  if (plain.length > 120) return newId();
  for (let count = 1; ; count++) {
    const id = count === 1 ? plain : `${plain}-${count}`;
    if (!model.rows.relationship.has(id)) return id;
  }
}
