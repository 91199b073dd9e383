/** Decisions about fields that the files and the map changed differently. */
import type { SyncField, SyncPreference, SyncReport, SyncResolution, SyncRow } from '@/api/generated';
import { rowKey } from './rowKey';

/** The side whose value is used: the files (`source`), the map, or neither for now (`ask`). */
export interface ConflictChoices {
  /** The choice for all fields without a choice of their own; null: depends on the field. */
  all: SyncPreference | null;
  /** Choices for single fields, by `conflictKey`. */
  fields: ReadonlyMap<string, SyncPreference>;
}

export const NO_DECISIONS: ConflictChoices = { all: null, fields: new Map() };

export function conflictKey(row: SyncRow, { field }: Pick<SyncField, 'field'>): string {
  return `${rowKey(row)}\n${field}`;
}

/** The choice for a field. */
export function chosenSide(row: SyncRow, field: SyncField, choices: ConflictChoices): SyncPreference {
  const byPolicy = field.taken === 'none' ? 'ask' : field.taken;
  return choices.fields.get(conflictKey(row, field)) ?? choices.all ?? byPolicy;
}

export function decide(
  choices: ConflictChoices,
  row: SyncRow,
  field: SyncField,
  side: SyncPreference,
): ConflictChoices {
  return { ...choices, fields: new Map(choices.fields).set(conflictKey(row, field), side) };
}

/** Decides all conflicts, also those that were decided one by one. */
export function decideAll(all: SyncPreference): ConflictChoices {
  return { all, fields: new Map() };
}

/** The choice for all fields of the rows; null if they differ. */
export function commonSide(rows: readonly SyncRow[], choices: ConflictChoices): SyncPreference | null {
  const sides = new Set(
    rows.flatMap((row) => (row.fields ?? []).map((field) => chosenSide(row, field, choices))),
  );
  const [side] = sides;
  return side && sides.size === 1 ? side : null;
}

/** The choices for single fields as a part of a request. Fields that no longer conflict are left out. */
export function resolutionsOf(
  { conflicts }: SyncReport,
  { fields: chosen }: ConflictChoices,
): SyncResolution[] {
  return conflicts.flatMap((row) =>
    (row.fields ?? []).flatMap((field): SyncResolution[] => {
      const take = chosen.get(conflictKey(row, field));
      return take ? [{ kind: row.kind, key: row.key, field: field.field, take }] : [];
    }),
  );
}

/** Whether one of the conflicts of a row is decided. */
export function hasDecisions(row: SyncRow, choices: ConflictChoices): boolean {
  return (row.fields ?? []).some((field) => chosenSide(row, field, choices) !== 'ask');
}

/** The rows that take values of the files, without the fields that are listed as conflicts. */
export function withoutConflicts({ changed, conflicts }: SyncReport): SyncRow[] {
  const keys = new Set(
    conflicts.flatMap((row) => (row.fields ?? []).map((field) => conflictKey(row, field))),
  );
  return changed.flatMap((row) => {
    const fields = (row.fields ?? []).filter((field) => !keys.has(conflictKey(row, field)));
    return fields.length > 0 ? [{ ...row, fields }] : [];
  });
}
