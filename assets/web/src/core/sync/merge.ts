/** Merges concurrent changes to the same row, field by field. */
import type { Fields } from './operation';

/** A field that both sides changed to different values. */
export interface FieldConflict {
  field: string;
  mine: unknown;
  theirs: unknown;
}

export interface MergeResult {
  /** The fields to write over `theirs`, excluding conflicting fields. */
  fields: Fields;
  fieldConflicts: readonly FieldConflict[];
}

/**
 * Merges a local change (`before` → `mine`) with the current row. Properties are merged by key, because the server
 * replaces them as a whole.
 */
export function merge(before: Fields, mine: Fields, theirs: Fields): MergeResult {
  const fields: Fields = {};
  const fieldConflicts: FieldConflict[] = [];
  for (const [field, value] of Object.entries(mine)) {
    if (field === 'properties') {
      const inner = merge(
        withMissingKeys(record(before[field]), record(value)),
        withMissingKeys(record(value), record(before[field])),
        record(theirs[field]),
      );
      fields[field] = dropUndefined({ ...record(theirs[field]), ...inner.fields });
      fieldConflicts.push(
        ...inner.fieldConflicts.map((fieldConflict) => ({
          ...fieldConflict,
          field: `properties.${fieldConflict.field}`,
        })),
      );
    } else if (
      isSameValue(theirs[field], before[field]) ||
      isSameValue(theirs[field], value) ||
      isSameValue(value, before[field])
    ) {
      fields[field] = isSameValue(value, before[field]) ? theirs[field] : value;
    } else {
      fieldConflicts.push({ field, mine: value, theirs: theirs[field] });
    }
  }
  return { fields, fieldConflicts };
}

/** Whether two JSON values are equal. A missing value equals an empty text. */
export function isSameValue(a: unknown, b: unknown): boolean {
  const [left, right] = [a ?? '', b ?? ''];
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

/** Sorts object keys, because the server may change their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!value || typeof value !== 'object') return value;
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(pairs.map(([key, inner]) => [key, sorted(inner)]));
}

function record(value: unknown): Fields {
  return value && typeof value === 'object' ? (value as Fields) : {};
}

/** Adds the keys that only `other` has, with the value undefined. */
function withMissingKeys(fields: Fields, other: Fields): Fields {
  return { ...Object.fromEntries(Object.keys(other).map((key) => [key, undefined])), ...fields };
}

function dropUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
