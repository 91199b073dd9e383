/** Containment of components. */
import type { Relationship } from '@/api/generated';

export interface Parts {
  children: ReadonlyMap<string, readonly string[]>;
  parent: ReadonlyMap<string, string>;
}

/** Reads the `contains` relationships between existing components. Cycles, which the server does not allow, are cut. */
export function partsOf(
  relationships: readonly Pick<Relationship, 'sourceId' | 'targetId' | 'typeId'>[],
  known: { has(id: string): boolean },
): Parts {
  const children = new Map<string, string[]>();
  const parent = new Map<string, string>();
  for (const { sourceId, targetId, typeId } of relationships) {
    if (typeId !== 'contains' || !known.has(sourceId) || !known.has(targetId)) continue;
    if (parent.has(targetId) || isAbove(parent, targetId, sourceId)) continue;
    parent.set(targetId, sourceId);
    const others = children.get(sourceId);
    if (others) others.push(targetId);
    else children.set(sourceId, [targetId]);
  }
  return { children, parent };
}

/** Whether `above` is `id` or contains it. */
function isAbove(parent: ReadonlyMap<string, string>, above: string, id: string): boolean {
  for (let at: string | undefined = id; at !== undefined; at = parent.get(at)) if (at === above) return true;
  return false;
}
