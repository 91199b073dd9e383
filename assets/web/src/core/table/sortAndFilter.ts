/** Filters and sorts rows. */
import { type CustomType, typeKey } from '../model/customTypes';
import { formatKeywords } from '../model/keywords';
import { needsOwner } from '../model/model';
import type { Column } from './columns';
import type { ComponentRow } from './componentRows';

export interface Sort {
  column: string;
  descending: boolean;
}

export interface TableFilter {
  text: string;
  /** A catalog type, or the key of a custom type. */
  typeId: string;
  /** The ID of a lifecycle state, or `none` for components without one. */
  lifecycle: string;
  /** Only components without an owner. */
  unowned: boolean;
}

export const NO_TABLE_FILTER: TableFilter = { text: '', typeId: '', lifecycle: '', unowned: false };

/** The rows that match the filter: each word must occur in a column, in the technology or tags, or in the ID. */
export function filterRows(
  lines: readonly ComponentRow[],
  columns: readonly Column[],
  filter: TableFilter,
  types: readonly CustomType[] = [],
): ComponentRow[] {
  const words = filter.text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    const { component, ownerList } = line;
    if (filter.typeId && ![component.typeId, typeKey(types, component)].includes(filter.typeId)) return false;
    if (filter.lifecycle && (component.properties.lifecycle ?? 'none') !== filter.lifecycle) return false;
    if (filter.unowned && (ownerList.length > 0 || !needsOwner(component))) return false;
    if (words.length === 0) return true;
    const keywords = formatKeywords([...(component.technology ?? []), ...(component.tags ?? [])]);
    const texts = [...columns.map((column) => column.text(line)), keywords, line.id];
    const all = texts.join('\n').toLocaleLowerCase();
    return words.every((word) => all.includes(word));
  });
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Sorts by a column. The sort is stable, and empty values are last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  by: { text: (row: Row) => string; order?: ((row: Row) => number) | undefined } | undefined,
  descending: boolean,
): Row[] {
  if (!by) return [...rows];
  const { order, text } = by;
  const sign = descending ? -1 : 1;
  if (order) {
    const keyed = rows.map((row) => ({ row, key: order(row) }));
    return keyed.sort((a, b) => sign * (a.key - b.key)).map(({ row }) => row);
  }
  const keyed = rows.map((row) => ({ row, key: text(row) }));
  keyed.sort((a, b) => {
    if (!a.key || !b.key) return Number(!a.key) - Number(!b.key);
    return sign * collator.compare(a.key, b.key);
  });
  return keyed.map(({ row }) => row);
}
