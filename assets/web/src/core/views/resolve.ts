/** What is in a view: evaluates its definition for the current rows. The server has the same rules. */
import type { Component } from '@/api/generated';
import { ancestorsOf, CONTAINS, type Containment } from '../containment/containment';
import type { Model } from '../model/model';
import type { ViewRules } from '../sync/viewRows';
import { type Memberships, NO_MEMBERSHIPS } from './memberships';
import { anySelector } from './selectors';

/** A component outside of a view that members are related to. */
export interface ViewStub {
  componentId: string;
  /** Its relationships to members. */
  relationshipIds: string[];
}

/** The contents of a view, in the order of the rows. */
export interface ResolvedView {
  componentIds: string[];
  relationshipIds: string[];
  /** Empty if the view hides what is outside. */
  stubs: ViewStub[];
}

/** Evaluates a definition. `memberships` are needed only for selectors of teams. */
export function resolveView(
  rules: ViewRules,
  model: Model,
  memberships: Memberships = NO_MEMBERSHIPS,
): ResolvedView {
  const { component, relationship } = model.rows;
  const isExcluded = anySelector(rules.exclude, model, memberships);
  const isIncluded = rules.include.length > 0 ? anySelector(rules.include, model, memberships) : () => true;
  const members = new Set<string>();
  for (const [id, row] of component) if (isIncluded(row) && !isExcluded(row)) members.add(id);

  const types = rules.relationTypes && new Set(rules.relationTypes);
  const relationshipIds: string[] = [];
  const outside = new Map<string, string[]>();
  for (const { id, sourceId, targetId, typeId } of relationship.values()) {
    const isNesting = typeId === CONTAINS;
    if (!isNesting && types && !types.has(typeId)) continue;
    const [hasSource, hasTarget] = [members.has(sourceId), members.has(targetId)];
    if (hasSource && hasTarget) relationshipIds.push(id);
    else if (!isNesting && hasSource !== hasTarget) push(outside, hasSource ? targetId : sourceId, id);
  }
  const stubs = rules.outside === 'stubs' ? stubsOf(component, outside, isExcluded) : [];
  return { componentIds: [...members], relationshipIds, stubs };
}

function stubsOf(
  components: ReadonlyMap<string, Component>,
  outside: ReadonlyMap<string, string[]>,
  isExcluded: (component: Component) => boolean,
): ViewStub[] {
  if (outside.size === 0) return [];
  const stubs: ViewStub[] = [];
  for (const [componentId, row] of components) {
    const relationshipIds = outside.get(componentId);
    if (relationshipIds && !isExcluded(row)) stubs.push({ componentId, relationshipIds });
  }
  return stubs;
}

/**
 * The containment of a view's members. A group that is not a member is skipped: the parent of a member is the nearest
 * component that contains it and is a member too.
 */
export function memberContainment(
  containment: Containment,
  members: { has(id: string): boolean; keys(): Iterable<string> },
): Containment {
  const parent = new Map<string, string>();
  const children = new Map<string, string[]>();
  for (const id of members.keys()) {
    const group = ancestorsOf(containment, id).find((ancestor) => members.has(ancestor));
    if (group === undefined) continue;
    parent.set(id, group);
    push(children, group, id);
  }
  return { parent, children };
}

function push(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
