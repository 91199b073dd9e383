/** Validation and IDs of new relationships. */
import { CONTAINS, isSelfOrAncestor } from '../containment/containment';
import type { Model } from './model';

/** The reason why a relationship of this type is invalid, if any; `except` is the relationship being replaced. */
export function relationshipProblem(
  model: Model,
  { sourceId, typeId, targetId }: { sourceId: string; typeId: string; targetId: string },
  except?: string,
): string | undefined {
  const name = (id: string) => `“${model.rows.component.get(id)?.name ?? id}”`;
  if (typeId !== CONTAINS) return undefined;
  if (sourceId === targetId) return 'A component can’t contain itself.';
  const parent = model.incoming
    .get(targetId)
    ?.find((relationship) => relationship.typeId === CONTAINS && relationship.id !== except);
  if (parent)
    return `${name(targetId)} is already part of ${name(parent.sourceId)}. Remove it from there first.`;
  if (isSelfOrAncestor(model.containment.parent, targetId, sourceId)) {
    return `${name(sourceId)} is part of ${name(targetId)} and can’t contain it.`;
  }
  return undefined;
}
