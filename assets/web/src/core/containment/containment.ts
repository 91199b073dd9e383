/** Which component contains which, as the `contains` relationships say. */
import type { Relationship } from '@/api/generated';

/** The type of relationship whose source contains its target. */
export const CONTAINS = 'contains';

/** A forest: every component has at most one parent, and no component is inside itself. */
export interface Containment {
  parent: ReadonlyMap<string, string>;
  children: ReadonlyMap<string, readonly string[]>;
}

type Ends = Pick<Relationship, 'sourceId' | 'targetId' | 'typeId'>;

/**
 * Reads the containment from relationships, in their order. The server keeps it a forest; edits that are not saved yet
 * may break that, so a relationship that would add a second parent or a cycle is skipped. With `known`, so is one whose
 * source or target is not in it.
 */
export function buildContainment(
  relationships: Iterable<Ends>,
  known?: { has(id: string): boolean },
): Containment {
  const parent = new Map<string, string>();
  const children = new Map<string, string[]>();
  for (const { typeId, sourceId, targetId } of relationships) {
    if (typeId !== CONTAINS || parent.has(targetId)) continue;
    if (known && !(known.has(sourceId) && known.has(targetId))) continue;
    if (isSelfOrAncestor(parent, targetId, sourceId)) continue;
    parent.set(targetId, sourceId);
    const siblings = children.get(sourceId);
    if (siblings) siblings.push(targetId);
    else children.set(sourceId, [targetId]);
  }
  return { parent, children };
}

/** Whether `ancestor` is `id` or contains it at any depth. With the ends of a new relationship: whether it is a cycle. */
export function isSelfOrAncestor(parent: ReadonlyMap<string, string>, ancestor: string, id: string): boolean {
  for (let at: string | undefined = id; at !== undefined; at = parent.get(at))
    if (at === ancestor) return true;
  return false;
}

/** The components that contain `id`, from the innermost outward. */
export function ancestorsOf({ parent }: Pick<Containment, 'parent'>, id: string): string[] {
  const ancestors: string[] = [];
  for (let at = parent.get(id); at !== undefined; at = parent.get(at)) ancestors.push(at);
  return ancestors;
}

/** These components and all that they contain, at any depth. */
export function withDescendants(
  { children }: Pick<Containment, 'children'>,
  ids: Iterable<string>,
): Set<string> {
  const all = new Set<string>();
  const left = [...ids];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (all.has(id)) continue;
    all.add(id);
    left.push(...(children.get(id) ?? []));
  }
  return all;
}

/** All that a component contains, at any depth, without itself. */
export function descendantsOf(containment: Pick<Containment, 'children'>, id: string): Set<string> {
  const all = withDescendants(containment, [id]);
  all.delete(id);
  return all;
}
