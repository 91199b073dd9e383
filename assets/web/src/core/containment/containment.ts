/** Containment of components, derived from `contains` relationships. */
import type { Relationship } from '@/api/generated';

/** The type of relationship whose source contains its target. */
export const CONTAINS = 'contains';

/** The type of components that are drawn as a group even if they contain nothing. */
export const GROUP_TYPE = 'group';

/** A forest: every component has at most one parent, and no component is inside itself. */
export interface Containment {
  parent: ReadonlyMap<string, string>;
  children: ReadonlyMap<string, readonly string[]>;
}

type Ends = Pick<Relationship, 'sourceId' | 'targetId' | 'typeId'>;

/**
 * Builds the containment from relationships, in order. On the server it is always a forest, but unsaved edits may
 * violate that, so relationships that would add a second parent or a cycle are skipped. If `known` is given,
 * relationships whose source or target is not in it are skipped too.
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

/**
 * Whether `ancestor` is `id` or contains it at any depth. For a new `contains` relationship, this is whether it would
 * create a cycle.
 */
export function isSelfOrAncestor(parent: ReadonlyMap<string, string>, ancestor: string, id: string): boolean {
  for (let at: string | undefined = id; at !== undefined; at = parent.get(at))
    if (at === ancestor) return true;
  return false;
}

/** The components that contain `id`, innermost first. */
export function ancestorsOf({ parent }: Pick<Containment, 'parent'>, id: string): string[] {
  const ancestors: string[] = [];
  for (let at = parent.get(id); at !== undefined; at = parent.get(at)) ancestors.push(at);
  return ancestors;
}

/** The given components without those that are inside another one of them. */
export function outermost({ parent }: Pick<Containment, 'parent'>, ids: ReadonlySet<string>): string[] {
  return [...ids].filter((id) => !ancestorsOf({ parent }, id).some((ancestor) => ids.has(ancestor)));
}

/** The given components and all their descendants. */
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

/** All descendants of a component. */
export function descendantsOf(containment: Pick<Containment, 'children'>, id: string): Set<string> {
  const all = withDescendants(containment, [id]);
  all.delete(id);
  return all;
}
