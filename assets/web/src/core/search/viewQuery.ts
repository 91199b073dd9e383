/** The lens, filters and collapsed groups in the URL, so that a copied link shows the same map to others. */
import { customTypeKey } from '../model/customTypes';
import { DRIFT_STATES } from '../model/drift';
import type { Model } from '../model/model';
import { type Filters, LENSES, type Lens } from '../model/viewOptions';
import { isFiltering } from './filter';

/** How a map is shown. */
export interface ViewOptions {
  lens: Lens;
  filters: Filters;
  collapsed: ReadonlySet<string>;
}

/** View options as in the URL. If most groups are collapsed, the expanded ones are listed instead. */
export interface ViewQuery extends ViewOptions {
  expanded: ReadonlySet<string> | null;
}

type Facet = Exclude<keyof Filters, 'text'>;

const FACETS: readonly (readonly [Facet, string])[] = [
  ['typeIds', 'type'],
  ['lifecycles', 'lifecycle'],
  ['holders', 'owner'],
  ['relationTypeIds', 'relation'],
  ['drift', 'drift'],
];
const NAMES = ['color', 'find', ...FACETS.map(([, name]) => name), 'collapsed', 'expanded'];

/** Maximum number of values of a parameter. */
const MAX_VALUES = 200;
const MAX_TEXT_LENGTH = 200;

/** Reads the view options of a query; null if there are none. Invalid values are ignored. */
export function parseViewQuery(query: string): ViewQuery | null {
  const params = new URLSearchParams(query);
  if (!NAMES.some((name) => params.has(name))) return null;
  const values = (name: string) => new Set(params.getAll(name).slice(0, MAX_VALUES));
  const facets = Object.fromEntries(FACETS.map(([facet, name]) => [facet, values(name)])) as Record<
    Facet,
    Set<string>
  >;
  return {
    lens: LENSES.find(({ id }) => id === params.get('color'))?.id ?? 'type',
    filters: {
      text: (params.get('find') ?? '').slice(0, MAX_TEXT_LENGTH),
      ...facets,
    },
    collapsed: values('collapsed'),
    expanded: params.has('expanded') ? values('expanded') : null,
  };
}

/** Whether a map with these groups looks the same with both options. */
export function hasSameOptions(a: ViewOptions, b: ViewOptions, groups: readonly string[]): boolean {
  return (
    a.lens === b.lens &&
    isFiltering(a.filters) === isFiltering(b.filters) &&
    (!isFiltering(a.filters) || a.filters === b.filters) &&
    groups.every((id) => a.collapsed.has(id) === b.collapsed.has(id))
  );
}

/** Whether the map is shown without lens, filters and collapsed groups. */
export function isDefaultView({ lens, filters, collapsed }: ViewOptions): boolean {
  return lens === 'type' && !isFiltering(filters) && collapsed.size === 0;
}

/**
 * The query with the parameters of these view options, and other parameters unchanged; null removes the parameters.
 * `groups` are all groups of the map.
 */
export function formatViewQuery(query: string, view: ViewOptions | null, groups: readonly string[]): string {
  const params = new URLSearchParams(query);
  for (const name of NAMES) params.delete(name);
  if (view) appendView(params, view, groups);
  // Commas are valid in a query; leaving them unescaped keeps the URL readable.
  return params.toString().replaceAll('%2C', ',');
}

function appendView(params: URLSearchParams, view: ViewOptions, groups: readonly string[]): void {
  const { lens, filters } = view;
  // The lens says that the query is complete even if nothing is filtered.
  if (lens !== 'type' || isDefaultView(view)) params.set('color', lens);
  if (filters.text.trim()) params.set('find', filters.text.trim().slice(0, MAX_TEXT_LENGTH));
  for (const [facet, name] of FACETS) appendAll(params, name, [...filters[facet]]);
  const collapsed = groups.filter((id) => view.collapsed.has(id));
  const expanded = groups.filter((id) => !view.collapsed.has(id));
  if (collapsed.length <= expanded.length || collapsed.length === 0)
    appendAll(params, 'collapsed', collapsed);
  else if (expanded.length === 0) params.append('expanded', '');
  else appendAll(params, 'expanded', expanded);
}

function appendAll(params: URLSearchParams, name: string, values: readonly string[]): void {
  for (const value of values.slice(0, MAX_VALUES)) params.append(name, value);
}

/** The collapsed groups that a query requests, of all groups of a map. Unknown groups are ignored. */
export function collapsedGroups({ collapsed, expanded }: ViewQuery, groups: readonly string[]): Set<string> {
  return new Set(groups.filter((id) => (expanded ? !expanded.has(id) : collapsed.has(id))));
}

/** The filters without values that do not exist on the map, which would hide everything. */
export function knownFilters(filters: Filters, model: Model): Filters {
  const { catalogue, customTypes, holdings, rows } = model;
  const known = (values: ReadonlySet<string>, exists: (value: string) => boolean) =>
    new Set([...values].filter(exists));
  const types = new Set([
    ...catalogue.componentTypes.map(({ id }) => id),
    ...customTypes.map(customTypeKey),
    ...[...rows.component.values()].map(({ typeId }) => typeId),
  ]);
  const states = new Set(catalogue.lifecycleStates.map(({ id }) => id));
  const relations = new Set(catalogue.relationTypes.map(({ id }) => id));
  return {
    text: filters.text,
    typeIds: known(filters.typeIds, (id) => types.has(id)),
    lifecycles: known(filters.lifecycles, (id) => id === '' || states.has(id)),
    holders: known(filters.holders, (id) => id === '' || holdings.has(id)),
    relationTypeIds: known(filters.relationTypeIds, (id) => relations.has(id)),
    drift: known(filters.drift, (state) => DRIFT_STATES.some(({ id }) => id === state)),
  };
}
