/** The filter and sort order of a table in the URL, with the same parameters as the filters of the map. */

import type { Catalogue } from '@/api/generated';
import { type CustomType, customTypeWithKey } from '../model/customTypes';
import { NO_TABLE_FILTER, type Sort, type TableFilter } from './sortAndFilter';

export interface TableView {
  filter: TableFilter;
  sort: Sort;
}

const NAMES = ['find', 'type', 'lifecycle', 'owner', 'sort'];
/** Maximum length of the search text. */
export const MAX_FILTER_TEXT_CHARS = 200;

/** Reads the filter of a query. `sortedBy` is the default column. */
export function parseTableQuery(query: string, sortedBy: string): TableView {
  const params = new URLSearchParams(query);
  const lifecycle = params.get('lifecycle');
  const sort = params.get('sort') || sortedBy;
  const descending = sort.startsWith('-');
  return {
    filter: {
      text: (params.get('find') ?? '').slice(0, MAX_FILTER_TEXT_CHARS),
      typeId: params.get('type') ?? '',
      lifecycle: lifecycle === '' ? 'none' : (lifecycle ?? ''),
      unowned: params.get('owner') === '',
    },
    sort: { column: descending ? sort.slice(1) : sort, descending },
  };
}

/** The query with the parameters of a filter, and other parameters unchanged. */
export function formatTableQuery(query: string, { filter, sort }: TableView, sortedBy: string): string {
  const params = new URLSearchParams(query);
  for (const name of NAMES) params.delete(name);
  const text = filter.text.trim().slice(0, MAX_FILTER_TEXT_CHARS);
  if (text) params.set('find', text);
  if (filter.typeId) params.set('type', filter.typeId);
  if (filter.lifecycle) params.set('lifecycle', filter.lifecycle === 'none' ? '' : filter.lifecycle);
  if (filter.unowned) params.set('owner', '');
  const order = `${sort.descending ? '-' : ''}${sort.column}`;
  if (order !== sortedBy) params.set('sort', order);
  return params.toString();
}

export function isFiltered(filter: TableFilter): boolean {
  return !isSameFilter(filter, NO_TABLE_FILTER);
}

export function isSameFilter(one: TableFilter, other: TableFilter): boolean {
  return (
    one.text.trim() === other.text.trim() &&
    one.typeId === other.typeId &&
    one.lifecycle === other.lifecycle &&
    one.unowned === other.unowned
  );
}

/** The filter without types and lifecycle states that do not exist, such as those in an outdated link. */
export function knownFilter(
  filter: TableFilter,
  { componentTypes, lifecycleStates }: Pick<Catalogue, 'componentTypes' | 'lifecycleStates'>,
  types: readonly CustomType[] = [],
): TableFilter {
  const isType =
    componentTypes.some(({ id }) => id === filter.typeId) ||
    customTypeWithKey(types, filter.typeId) !== undefined;
  const isState = filter.lifecycle === 'none' || lifecycleStates.some(({ id }) => id === filter.lifecycle);
  return {
    ...filter,
    typeId: isType ? filter.typeId : '',
    lifecycle: isState ? filter.lifecycle : '',
  };
}

/** For example “ledger, Database, Live, no owner”. */
export function describeFilter(
  filter: TableFilter,
  { componentTypes, lifecycleStates }: Pick<Catalogue, 'componentTypes' | 'lifecycleStates'>,
  types: readonly CustomType[] = [],
): string {
  const known =
    componentTypes.find(({ id }) => id === filter.typeId) ?? customTypeWithKey(types, filter.typeId);
  const type = known?.name ?? filter.typeId;
  const state = lifecycleStates.find(({ id }) => id === filter.lifecycle)?.name ?? filter.lifecycle;
  const parts = [
    filter.text.trim() && `“${filter.text.trim()}”`,
    type,
    filter.lifecycle === 'none' ? 'no lifecycle' : state,
    filter.unowned && 'no owner',
  ];
  return parts.filter(Boolean).join(', ');
}

/** A filter with a name, stored in the browser. */
export interface SavedFilter extends TableView {
  name: string;
}

export const MAX_SAVED_FILTERS = 50;
export const MAX_FILTER_NAME_CHARS = 60;

/** Reads stored filters, without invalid ones. */
export function parseSavedFilters(text: string): SavedFilter[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(stored) ? stored.flatMap(parseSavedFilter).slice(0, MAX_SAVED_FILTERS) : [];
}

function parseSavedFilter(stored: unknown): SavedFilter[] {
  if (!isRecord(stored) || !isRecord(stored.filter) || !isRecord(stored.sort)) return [];
  const { text, typeId, lifecycle, unowned } = stored.filter;
  const { column, descending } = stored.sort;
  if (typeof stored.name !== 'string' || typeof column !== 'string') return [];
  const string = (value: unknown) => (typeof value === 'string' ? value : '');
  return [
    {
      name: stored.name,
      filter: {
        text: string(text),
        typeId: string(typeId),
        lifecycle: string(lifecycle),
        unowned: unowned === true,
      },
      sort: { column, descending: descending === true },
    },
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The problem with the name of a filter, if any. `others` are the names of the other filters. */
export function filterNameProblem(name: string, others: readonly string[]): string | undefined {
  const text = name.trim();
  if (text === '') return 'Enter a name.';
  if ([...text].length > MAX_FILTER_NAME_CHARS) return `At most ${MAX_FILTER_NAME_CHARS} characters.`;
  const isTaken = others.some((other) => other.toLocaleLowerCase() === text.toLocaleLowerCase());
  return isTaken ? 'A filter with this name exists. Choose another name.' : undefined;
}
