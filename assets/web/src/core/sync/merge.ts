/** Two people changed the same row: what of it can stand side by side, and what cannot. */
import type { Fields } from './operation';

/** A field that both have changed, each to something else. */
export interface FieldConflict {
  field: string;
  mine: unknown;
  theirs: unknown;
}

export interface MergeResult {
  /** What is to be written over `theirs` where nothing clashes. */
  fields: Fields;
  clashes: readonly FieldConflict[];
}

/**
 * Holds what one changed (`before` → `mine`) against what the row holds now. Properties are compared key by key, for the
 * server replaces them as a whole.
 */
export function merge(before: Fields, mine: Fields, theirs: Fields): MergeResult {
  const fields: Fields = {};
  const clashes: FieldConflict[] = [];
  for (const [field, value] of Object.entries(mine)) {
    if (field === 'properties') {
      const inner = merge(
        filled(record(before[field]), record(value)),
        filled(record(value), record(before[field])),
        record(theirs[field]),
      );
      fields[field] = dropGone({ ...record(theirs[field]), ...inner.fields });
      clashes.push(...inner.clashes.map((clash) => ({ ...clash, field: `properties.${clash.field}` })));
    } else if (
      isSameValue(theirs[field], before[field]) ||
      isSameValue(theirs[field], value) ||
      isSameValue(value, before[field])
    ) {
      fields[field] = isSameValue(value, before[field]) ? theirs[field] : value;
    } else {
      clashes.push({ field, mine: value, theirs: theirs[field] });
    }
  }
  return { fields, clashes };
}

/** Whether two values of JSON are the same; what was never set is the same as an empty text. */
export function isSameValue(one: unknown, other: unknown): boolean {
  const [left, right] = [one ?? '', other ?? ''];
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

/** The same value with the keys of objects in one order: the server need not keep ours. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!value || typeof value !== 'object') return value;
  const pairs = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(pairs.map(([key, inner]) => [key, sorted(inner)]));
}

function record(value: unknown): Fields {
  return value && typeof value === 'object' ? (value as Fields) : {};
}

/** The same with the keys of another, which are not set here. */
function filled(fields: Fields, other: Fields): Fields {
  return { ...Object.fromEntries(Object.keys(other).map((key) => [key, undefined])), ...fields };
}

function dropGone(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
