/** Adds single components to the rules of a view, and removes them. */
import type { Selector, ViewDefinition } from '../sync/viewRows';

/** Maximum number of IDs in a selector. */
const MAX_IDS = 1000;

/** Whether a selector only lists components. */
export function isList(selector: Selector): boolean {
  return selector.ids !== undefined && Object.keys(selector).length === 1;
}

/** The selectors with these IDs in their lists. Lists are filled up before another one is added. */
function withIds(selectors: readonly Selector[], ids: readonly string[]): Selector[] {
  const listed = new Set(selectors.flatMap((selector) => (isList(selector) ? (selector.ids ?? []) : [])));
  let left = [...new Set(ids)].filter((id) => !listed.has(id));
  const next = selectors.map((selector) => {
    if (!isList(selector) || left.length === 0) return selector;
    const room = MAX_IDS - (selector.ids?.length ?? 0);
    const added = left.slice(0, room);
    left = left.slice(added.length);
    return { ids: [...(selector.ids ?? []), ...added] };
  });
  for (; left.length > 0; left = left.slice(MAX_IDS)) next.push({ ids: left.slice(0, MAX_IDS) });
  return next;
}

/** The selectors without these IDs in their lists. Empty lists are removed. */
function withoutIds(selectors: readonly Selector[], ids: ReadonlySet<string>): Selector[] {
  return selectors.flatMap((selector) => {
    if (!isList(selector)) return [selector];
    const left = (selector.ids ?? []).filter((id) => !ids.has(id));
    return left.length > 0 ? [{ ids: left }] : [];
  });
}

/** Decides who is in a view with these rules. */
type Resolve = (definition: ViewDefinition) => ReadonlySet<string>;

/**
 * The rules with these components. Components that another rule excludes stay outside, because removing that rule could
 * add others.
 */
export function includeComponents(
  definition: ViewDefinition,
  ids: readonly string[],
  resolve: Resolve,
): ViewDefinition {
  const exclude = withoutIds(definition.exclude, new Set(ids));
  const allowed = { ...definition, exclude };
  const members = resolve(allowed);
  const missing = ids.filter((id) => !members.has(id));
  // Without any rule, every component is in the view.
  if (missing.length === 0 || definition.include.length === 0) return allowed;
  return { ...allowed, include: withIds(definition.include, missing) };
}

/**
 * The rules without these components: they are removed from the lists of included ones, and excluded if another rule
 * includes them.
 */
export function excludeComponents(
  definition: ViewDefinition,
  ids: readonly string[],
  resolve: Resolve,
): ViewDefinition {
  const include = withoutIds(definition.include, new Set(ids));
  // An empty list of rules would include every component.
  const kept = include.length > 0 ? { ...definition, include } : definition;
  const members = resolve(kept);
  const left = ids.filter((id) => members.has(id));
  return left.length === 0 ? kept : { ...kept, exclude: withIds(kept.exclude, left) };
}
