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

/** A relationship of components that are not in the view, drawn between the members that contain them. */
export interface ImpliedRelationship {
  relationshipId: string;
  /** The source, or the nearest member that contains it. */
  sourceId: string;
  /** The target, or the nearest member that contains it. */
  targetId: string;
}

/** The contents of a view, in the order of the rows. */
export interface ResolvedView {
  componentIds: string[];
  relationshipIds: string[];
  /** Empty if the view hides what is outside. */
  stubs: ViewStub[];
  /** Empty unless the view draws implied relationships. */
  implied: ImpliedRelationship[];
}

/** Evaluates a definition. `memberships` are needed only for selectors of teams. */
export function resolveView(
  rules: ViewRules,
  model: Model,
  memberships: Memberships = NO_MEMBERSHIPS,
): ResolvedView {
  const { component } = model.rows;
  const isExcluded = anySelector(rules.exclude, model, memberships);
  const isIncluded = rules.include.length > 0 ? anySelector(rules.include, model, memberships) : () => true;
  const members = new Set<string>();
  for (const [id, row] of component) if (isIncluded(row) && !isExcluded(row)) members.add(id);
  const { relationshipIds, outside, implied } = relationshipsOf(rules, model, members);
  return {
    componentIds: [...members],
    relationshipIds,
    stubs: rules.outside === 'stubs' ? stubsOf(component, outside, isExcluded) : [],
    implied,
  };
}

interface ViewRelationships {
  relationshipIds: string[];
  implied: ImpliedRelationship[];
  /** The relationships to members of each component outside. */
  outside: ReadonlyMap<string, string[]>;
}

function relationshipsOf(
  { relationTypes, impliedRelationships = false }: ViewRules,
  { rows, containment }: Model,
  members: ReadonlySet<string>,
): ViewRelationships {
  const types = relationTypes && new Set([...relationTypes, CONTAINS]);
  const relationshipIds: string[] = [];
  const implied: ImpliedRelationship[] = [];
  const outside = new Map<string, string[]>();
  const drawn = new Set<string>();
  for (const { id, sourceId, targetId, typeId } of rows.relationship.values()) {
    if (types && !types.has(typeId)) continue;
    const [hasSource, hasTarget] = [members.has(sourceId), members.has(targetId)];
    if (hasSource && hasTarget) {
      relationshipIds.push(id);
      // Members have no implied relationship to a group around them.
      drawn.add(pairOf(sourceId, targetId));
      continue;
    }
    if (typeId === CONTAINS) continue;
    const ends = impliedRelationships ? memberEnds(containment, members, sourceId, targetId) : undefined;
    if (ends) implied.push({ relationshipId: id, ...ends });
    else if (hasSource !== hasTarget) push(outside, hasSource ? targetId : sourceId, id);
  }
  // Not if a relationship between the same members is already drawn.
  const isNew = (one: ImpliedRelationship) => !drawn.has(pairOf(one.sourceId, one.targetId));
  return { relationshipIds, implied: implied.filter(isNew), outside };
}

function pairOf(sourceId: string, targetId: string): string {
  return JSON.stringify([sourceId, targetId]);
}

/** The different members that the ends of a relationship are or are in, unless one contains the other. */
function memberEnds(
  containment: Containment,
  members: ReadonlySet<string>,
  source: string,
  target: string,
): Pick<ImpliedRelationship, 'sourceId' | 'targetId'> | undefined {
  const around = (id: string) =>
    members.has(id) ? id : ancestorsOf(containment, id).find((ancestor) => members.has(ancestor));
  const [sourceId, targetId] = [around(source), around(target)];
  if (sourceId === undefined || targetId === undefined || sourceId === targetId) return undefined;
  const contains = (group: string, id: string) => ancestorsOf(containment, id).includes(group);
  if (contains(sourceId, targetId) || contains(targetId, sourceId)) return undefined;
  return { sourceId, targetId };
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
