/** What is part of what, as the `contains` relationships say. */
import type { Rows } from '../sync/rows';

/** The type of relationship that makes its target a part of its source. */
export const CONTAINS = 'contains';

export interface Containment {
  parent: ReadonlyMap<string, string>;
  children: ReadonlyMap<string, readonly string[]>;
}

/**
 * The family of all components. The server keeps it a forest; what is on its way to it may not be one yet, so whatever
 * would give a second parent or a circle is passed over.
 */
export function buildContainment(rows: Pick<Rows, 'component' | 'relationship'>): Containment {
  const parent = new Map<string, string>();
  const children = new Map<string, string[]>();
  for (const { typeId, sourceId, targetId } of rows.relationship.values()) {
    if (typeId !== CONTAINS || parent.has(targetId)) continue;
    if (!rows.component.has(sourceId) || !rows.component.has(targetId)) continue;
    if (isInside(parent, targetId, sourceId)) continue;
    parent.set(targetId, sourceId);
    const siblings = children.get(sourceId);
    if (siblings) siblings.push(targetId);
    else children.set(sourceId, [targetId]);
  }
  return { parent, children };
}

/** Whether `id` is `other` or contains it, however deep. */
export function isInside(parent: ReadonlyMap<string, string>, id: string, other: string): boolean {
  for (let at: string | undefined = other; at !== undefined; at = parent.get(at)) if (at === id) return true;
  return false;
}

/** These and all that is inside them. */
export function withDescendants({ children }: Containment, ids: Iterable<string>): Set<string> {
  const all = new Set<string>();
  const left = [...ids];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (all.has(id)) continue;
    all.add(id);
    left.push(...(children.get(id) ?? []));
  }
  return all;
}
