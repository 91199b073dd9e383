/** The difference between two states of a workspace: current, past or a saved version. */
import { isSameValue } from '@/core/sync/merge';
import type { Fields } from '@/core/sync/operation';
import { KINDS, type Kind, mapOf, type Rows } from '@/core/sync/rows';

/** A row that is in both states and differs. */
export interface ChangedRow {
  id: string;
  before: Fields;
  after: Fields;
  /** The fields that differ. Properties are listed individually, for example `properties.tier`. */
  fields: readonly string[];
}

export interface KindDifference {
  /** Rows only in the second state. */
  added: readonly Fields[];
  changed: readonly ChangedRow[];
  /** Rows only in the first state. */
  removed: readonly Fields[];
}

export type Difference = Readonly<Record<Kind, KindDifference>>;

/** Fields that change with every write, are managed by the server, or are shown with the row but are not part of it. */
const IGNORED_FIELDS = new Set([
  'revision',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'workspaceId',
  'person',
  'team',
  // Rows of a bundle have no texts of decisions.
  'body',
]);

export function compareRows(from: Rows, to: Rows): Difference {
  return Object.fromEntries(
    KINDS.map((kind) => [kind, compareKind(kind, from, to)]),
  ) as unknown as Difference;
}

function compareKind(kind: Kind, from: Rows, to: Rows): KindDifference {
  const before = mapOf(from, kind) as ReadonlyMap<string, unknown> as ReadonlyMap<string, Fields>;
  const after = mapOf(to, kind) as ReadonlyMap<string, unknown> as ReadonlyMap<string, Fields>;
  const changed: ChangedRow[] = [];
  const added: Fields[] = [];
  for (const [id, row] of after) {
    const was = before.get(id);
    if (!was) added.push(row);
    else if (was !== row) {
      const fields = changedFields(was, row);
      if (fields.length > 0) changed.push({ id, before: was, after: row, fields });
    }
  }
  const removed = [...before].filter(([id]) => !after.has(id)).map(([, row]) => row);
  return { added, changed, removed };
}

export function changedFields(before: Fields, after: Fields): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    if (IGNORED_FIELDS.has(name) || isSameValue(before[name], after[name])) return [];
    if (name !== 'properties') return [name];
    const [was, is] = [record(before[name]), record(after[name])];
    const inner = new Set([...Object.keys(was), ...Object.keys(is)]);
    return [...inner].filter((key) => !isSameValue(was[key], is[key])).map((key) => `properties.${key}`);
  });
}

/** Whether only the position differs. */
export function isMoveOnly(fields: readonly string[]): boolean {
  return fields.length > 0 && fields.every((field) => field === 'x' || field === 'y' || field === 'seq');
}

/** The number of rows that differ. */
export function differenceSize(of: Difference): number {
  return KINDS.reduce(
    (sum, kind) => sum + of[kind].added.length + of[kind].changed.length + of[kind].removed.length,
    0,
  );
}

function record(value: unknown): Fields {
  return value && typeof value === 'object' ? (value as Fields) : {};
}
