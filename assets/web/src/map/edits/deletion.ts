/** The operations that delete components and relationships, from the map and from the table. */
import { ancestorsOf, buildContainment } from '@/core/containment/containment';
import { setParent } from '@/core/model/parents';
import type { Operation } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';
import { framesLeftEmpty, storeFrames } from './frames';

/**
 * Deletes components and relationships. Parts of a deleted group are kept, as parts of the group around it, if any.
 * Groups that become empty keep their frame. Relationships are deleted with their ends by the server, which would reject
 * deleting them separately.
 */
export function deletionOperations(
  rows: Rows,
  componentIds: ReadonlySet<string>,
  relationshipIds: Iterable<string> = [],
): Operation[] {
  const kept = keepParts(rows, componentIds);
  const frames = framesLeftEmpty(componentIds);
  // The groups around deleted groups get their parts.
  for (const operation of kept)
    if (operation.op === 'create') frames.delete(String(operation.fields.sourceId));
  const alone = [...relationshipIds]
    .flatMap((id) => rows.relationship.get(id) ?? [])
    .filter(({ sourceId, targetId }) => !componentIds.has(sourceId) && !componentIds.has(targetId));
  const removed = [...componentIds].flatMap((id) => rows.component.get(id) ?? []);
  return [
    ...kept,
    ...alone.map(({ id, revision }) => deletion('relationship', id, revision)),
    ...removed.map(({ id, revision }) => deletion('component', id, revision)),
    ...storeFrames(rows, frames),
  ];
}

function deletion(kind: 'component' | 'relationship', id: string, base: number): Operation {
  return { op: 'delete', kind, id, base, fields: {} };
}

/** Moves the parts of deleted groups to the next group around them. */
function keepParts(rows: Rows, deleted: ReadonlySet<string>): Operation[] {
  // Not that of the scene: a view may show only some of the parts.
  const containment = buildContainment(rows.relationship.values(), rows.component);
  const taken = new Set<string>();
  return [...deleted].flatMap((id) => {
    const group = ancestorsOf(containment, id).find((ancestor) => !deleted.has(ancestor));
    const parts = (containment.children.get(id) ?? []).filter((part) => !deleted.has(part));
    return group === undefined ? [] : setParent(rows, parts, group, taken);
  });
}
