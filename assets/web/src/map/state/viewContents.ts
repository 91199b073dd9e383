/** What the open view shows: its members, their positions, and what is outside. */
import type { Model } from '@/core/model/model';
import type { Point } from '@/core/scene/geometry';
import { memoizeLast } from '@/core/scene/memoize';
import type { SceneRows } from '@/core/scene/scene';
import type { Rows } from '@/core/sync/rows';
import { type ImpliedRelationship, resolveView, type ViewStub } from '@/core/views/resolve';
import {
  arrangedComponents,
  arrangedRelationships,
  liftedEnds,
  memberComponents,
  memberRelationships,
} from '@/core/views/shownRows';
import { useCatalogue } from '@/data/queries';
import { useMemberships } from '@/workspace/memberships';
import { canEdit, currentModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { useTypes } from '@/workspace/types';
import { newPositions } from './newPositions';
import { mapKey, type OpenView, openView, useOpenView, useViewAddress } from './openView';

export type MapRows = Pick<Rows, 'component' | 'relationship'>;

export interface ViewContents {
  members: ReadonlySet<string>;
  /** The components outside that members are related to, if the view shows them. */
  stubs: readonly ViewStub[];
  /** The members of an own layout that nobody has placed yet, and where they are shown. */
  unplaced: ReadonlyMap<string, Point>;
  /** All rows, with the positions and lines of the view. */
  arranged: MapRows;
  /** The rows that are drawn. */
  shown: SceneRows;
}

interface Members {
  inputs: readonly unknown[];
  componentIds: ReadonlySet<string>;
  /** With implied relationships. */
  relationshipIds: ReadonlySet<string>;
  stubs: readonly ViewStub[];
  implied: readonly ImpliedRelationship[];
}

let last: Members | null = null;

/** Evaluates the rules of the view, again only if rows have changed that they can depend on. */
function membersOf({ view }: OpenView, model: Model): Members {
  const { component, relationship, stakeholder } = model.rows;
  const { memberships } = useMemberships.getState();
  const { definition } = view;
  const { catalogue, customTypes } = model;
  const inputs = [definition, component, relationship, stakeholder, catalogue, customTypes, memberships];
  if (last && inputs.every((input, at) => input === last?.inputs[at])) return last;
  const { componentIds, relationshipIds, stubs, implied } = resolveView(definition, model, memberships);
  const drawn = [...relationshipIds, ...implied.map((one) => one.relationshipId)];
  const before = last;
  last = {
    inputs,
    componentIds: sameSet(before?.componentIds, componentIds),
    relationshipIds: sameSet(before?.relationshipIds, drawn),
    stubs: same(before?.stubs, stubs),
    implied: same(before?.implied, implied),
  };
  return last;
}

/** The previous set if it has the same items, so that nothing is drawn again. */
function sameSet(before: ReadonlySet<string> | undefined, ids: readonly string[]): ReadonlySet<string> {
  return before?.size === ids.length && ids.every((id) => before.has(id)) ? before : new Set(ids);
}

/** The previous list if it has the same items. */
function same<Item>(before: readonly Item[] | undefined, list: readonly Item[]): readonly Item[] {
  return before && JSON.stringify(before) === JSON.stringify(list) ? before : list;
}

const NO_POSITIONS: ReadonlyMap<string, Point> = new Map();
const merged = memoizeLast(
  (places: ReadonlyMap<string, Point>, unplaced: ReadonlyMap<string, Point>): ReadonlyMap<string, Point> =>
    unplaced.size === 0 ? places : new Map([...places, ...unplaced]),
);
const components = memoizeLast(arrangedComponents);
const relationships = memoizeLast(arrangedRelationships);
const drawnComponents = memoizeLast(memberComponents);
const drawnRelationships = memoizeLast(memberRelationships);
const lifts = memoizeLast(liftedEnds);
const contents = memoizeLast(
  (
    members: ReadonlySet<string>,
    stubs: readonly ViewStub[],
    unplaced: ReadonlyMap<string, Point>,
    allComponents: Rows['component'],
    allRelationships: Rows['relationship'],
    component: Rows['component'],
    relationship: Rows['relationship'],
    lifted: ReadonlyMap<string, string>,
  ): ViewContents => ({
    members,
    stubs,
    unplaced,
    arranged: { component: allComponents, relationship: allRelationships },
    shown: { component, relationship, lifted },
  }),
);

/** The contents of the open view; null for the map itself, and until everything is loaded. */
export function viewContents(): ViewContents | null {
  const open = openView();
  const model = open && currentModel();
  if (!open || !model) return null;
  const { componentIds, relationshipIds, stubs, implied } = membersOf(open, model);
  const { rows, containment } = model;
  const { layout } = open;
  const added = layout ? newPositions(mapKey(), model, componentIds, layout.places) : null;
  const positions = added?.positions ?? NO_POSITIONS;
  const arranged = layout
    ? {
        component: components(rows.component, merged(layout.places, positions)),
        relationship: relationships(rows.relationship, layout.lines),
      }
    : rows;
  return contents(
    componentIds,
    stubs,
    added?.areNew ? positions : NO_POSITIONS,
    arranged.component,
    arranged.relationship,
    drawnComponents(arranged.component, componentIds),
    drawnRelationships(
      arranged.relationship,
      containment,
      componentIds,
      relationshipIds,
      open.view.definition.show.labels ?? true,
    ),
    lifts(rows.relationship, implied),
  );
}

/** Like `viewContents`, updated when it changes. */
export function useViewContents(): ViewContents | null {
  useOpenView();
  useCatalogue();
  useTypes((state) => state.types);
  useMemberships();
  useViewAddress();
  useWorkspace((state) => state.rows?.component);
  useWorkspace((state) => state.rows?.relationship);
  useWorkspace((state) => state.rows?.stakeholder);
  return viewContents();
}

/** Whether the user can move components here: editors always, others in their own views with own positions. */
export function canArrange(): boolean {
  const { past } = useWorkspace.getState();
  const open = openView();
  return canEdit() || (past === null && open !== null && open.isPersonal && open.layout !== null);
}

/** The rows that the map draws: all, or those of the open view. Null until they are loaded. */
export function shownRows(): SceneRows | null {
  if (openView()) return viewContents()?.shown ?? null;
  return useWorkspace.getState().rows;
}

/** All rows, with the positions and lines of the open view. */
export function arrangedRows(): Rows | null {
  const { rows } = useWorkspace.getState();
  const contents = viewContents();
  return rows && contents ? arrangedAll(rows, contents) : rows;
}

const arrangedAll = memoizeLast((rows: Rows, { arranged }: ViewContents): Rows => ({ ...rows, ...arranged }));
