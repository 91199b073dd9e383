/** The rows of views and tours. */
import type {
  TourStop as StoredStop,
  StopTarget as StoredTarget,
  Tour as StoredTour,
  View as StoredView,
  ViewLine as StoredViewLine,
  ViewPlace as StoredViewPlace,
  ViewShow,
} from '@/api/generated';

export type { ViewLayout, ViewShow } from '@/api/generated';

/** A condition on components. All keys must hold; the items of a list are alternatives. */
export interface Selector {
  ids?: readonly string[];
  types?: readonly string[];
  /** IDs of kinds of the organization. */
  kinds?: readonly string[];
  /** IDs of lifecycle states; `''` for components without one. */
  lifecycle?: readonly string[];
  /** In any case. */
  tags?: readonly string[];
  /** In any case. */
  technology?: readonly string[];
  /** IDs of components: these and all that they contain. */
  within?: readonly string[];
  /** IDs of people and teams with the role `owner`; `''` for components without an owner that need one. */
  owners?: readonly string[];
  /** IDs of teams that are stakeholders, or that people who are stakeholders belong to. */
  teams?: readonly string[];
  /** IDs of stakeholder roles. With `teams`, the same stakeholder must have both. */
  roles?: readonly string[];
  /** As in the text filter of the map. */
  text?: string;
  properties?: Readonly<Record<string, string | number | boolean>>;
  around?: Around;
}

/** Components and what impact analysis reaches from them. */
export interface Around {
  of: readonly string[];
  /** `up`: dependents, `down`: dependencies. Default: `both`. */
  direction?: 'up' | 'down' | 'both';
  /** Maximum distance in relationships. Default: 1. */
  depth?: number;
  /** The relationship types to follow. Default: those that express a dependency. */
  relationTypes?: readonly string[] | null;
}

/** The part of a view's definition that determines what is in it. */
export interface ViewRules {
  /** The components that any of these select; all components if empty. */
  include: readonly Selector[];
  /** Without the components that any of these select. */
  exclude: readonly Selector[];
  /** The types of the relationships to show; null for all. */
  relationTypes: readonly string[] | null;
  /** Whether to show components outside of the view that members are related to. */
  outside: 'hidden' | 'stubs';
  /** Whether relationships of components that are not in the view are drawn between the members that contain them. */
  impliedRelationships?: boolean;
}

/** The server returns all fields, although requests may omit them. */
export interface ViewDefinition extends ViewRules {
  /** The groups that are collapsed when the view is opened. */
  collapsed: readonly string[];
  /** The lens; null for the one of the viewer. */
  colorBy: string | null;
  show: ViewShow;
}

export type View = Omit<StoredView, 'definition'> & { definition: ViewDefinition };

/** The ID is `{viewId}/{componentId}`. */
export type ViewPlace = StoredViewPlace & { id: string };

/** The ID is `{viewId}/{relationshipId}`. */
export type ViewLine = StoredViewLine & { id: string };

/** The server omits absent fields, although requests may contain null. */
export type StopTarget = { [Field in keyof StoredTarget]: NonNullable<StoredTarget[Field]> };

export type TourStop = Omit<StoredStop, 'target'> & { target: StopTarget };

export type Tour = Omit<StoredTour, 'stops'> & { stops: TourStop[] };

/** The key of a row of a view: view IDs contain no slash. */
export function viewRowId(viewId: string, id: string): string {
  return `${viewId}/${id}`;
}

/** The two parts of the key of a row of a view. */
export function splitViewRowId(key: string): [viewId: string, id: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

/** The parts of a bundle that contain views. Only with `include=views`. */
export interface ViewBundle {
  views?: readonly View[];
  viewPlaces?: readonly Omit<ViewPlace, 'id'>[];
  viewLines?: readonly Omit<ViewLine, 'id'>[];
  tours?: readonly Tour[];
}

/** Adds the ID to a row of a view. */
export function withViewRowId<R extends { viewId: string; componentId?: string; relationshipId?: string }>(
  row: R,
): R & { id: string } {
  return { ...row, id: viewRowId(row.viewId, row.componentId ?? row.relationshipId ?? '') };
}

/** Views and tours in the order of their position. */
export function inOrder<R extends { id: string; position: number }>(rows: Iterable<R>): R[] {
  return [...rows].sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
}
