/** The comparison of a draft with its base as text: groups, counts, fields and values. */
import type { DraftChange, DraftComparison, DraftField } from '@/api/generated';
import { countOfKind } from '@/core/difference/describe';
import { fieldLabel, formatList, formatValue } from '@/core/sync/describe';
import { isSameValue } from '@/core/sync/merge';
import { formatCount, truncate } from '@/core/text';

/** How a row is marked in lists and on the map. */
export type ChangeTone = 'added' | 'changed' | 'removed' | 'moved' | 'conflicting';

export function toneOf({ change, conflict }: Pick<DraftChange, 'change' | 'conflict'>): ChangeTone {
  return conflict ? 'conflicting' : change;
}

/** The tones in the order of lists and legends. */
export const TONES: readonly ChangeTone[] = ['conflicting', 'added', 'changed', 'removed', 'moved'];

export const TONE_NAMES: Readonly<Record<ChangeTone, string>> = {
  conflicting: 'Conflicting',
  added: 'Added',
  changed: 'Changed',
  removed: 'Removed',
  moved: 'Moved',
};

/** The kinds of rows, most familiar first. */
const KINDS: readonly { kind: string; name: string }[] = [
  { kind: 'workspace', name: 'Workspace' },
  { kind: 'component', name: 'Components' },
  { kind: 'relationship', name: 'Relationships' },
  { kind: 'process', name: 'Processes' },
  { kind: 'stakeholder', name: 'Stakeholders' },
  { kind: 'link', name: 'Links' },
  { kind: 'decision', name: 'Decisions' },
  { kind: 'note', name: 'Notes, frames and images' },
  { kind: 'view', name: 'Views' },
  { kind: 'view-place', name: 'Positions in views' },
  { kind: 'view-line', name: 'Lines in views' },
  { kind: 'tour', name: 'Tours' },
  { kind: 'source', name: 'Sources' },
];

/** The key of a row, unique in a comparison. */
export function changeKey({ kind, id }: Pick<DraftChange, 'kind' | 'id'>): string {
  return `${kind}/${id}`;
}

export interface ChangeGroup {
  kind: string;
  name: string;
  changes: readonly DraftChange[];
}

/** The changes by kind. Conflicts are first in each group. */
export function groupByKind(changes: readonly DraftChange[]): ChangeGroup[] {
  const known = new Set(KINDS.map(({ kind }) => kind));
  const others = [...new Set(changes.map(({ kind }) => kind))].filter((kind) => !known.has(kind));
  return [...KINDS, ...others.map((kind) => ({ kind, name: kind }))]
    .map(({ kind, name }) => ({
      kind,
      name,
      changes: changes
        .filter((change) => change.kind === kind)
        .sort((a, b) => TONES.indexOf(toneOf(a)) - TONES.indexOf(toneOf(b))),
    }))
    .filter((group) => group.changes.length > 0);
}

/** The number of rows that a merge changes. */
export function changeCount({ counts }: Pick<DraftComparison, 'counts'>): number {
  return counts.added + counts.changed + counts.removed + counts.moved;
}

/** `2 added, 1 removed, 1 conflict`. Empty if there are no changes. */
export function describeCounts({ counts }: Pick<DraftComparison, 'counts'>): string {
  const parts = (['added', 'changed', 'removed', 'moved'] as const).flatMap((tone) =>
    counts[tone] > 0 ? [`${counts[tone].toLocaleString('en')} ${tone}`] : [],
  );
  if (counts.conflicting > 0) parts.push(formatCount(counts.conflicting, 'conflict'));
  return parts.join(', ');
}

/** The number of rows by kind: `2 components, 1 relationship`. */
export function describeKinds(changes: readonly DraftChange[]): string {
  return groupByKind(changes)
    .map(({ kind, changes: { length } }) =>
      kind === 'workspace' ? 'the workspace' : countOfKind(length, kind),
    )
    .join(', ');
}

/** The name of a row. Rows between others are named by them, as in `Web shop → Payments`. */
export function changeName({ kind, name, row }: DraftChange, nameOf: NameLookup): string {
  const named = (field: string) => {
    const id = row?.[field];
    return typeof id === 'string' ? nameOf(field, id) : undefined;
  };
  if (kind === 'relationship') {
    const [source, target] = [named('sourceId'), named('targetId')];
    return source && target ? `${source} → ${target}` : name;
  }
  if (kind === 'stakeholder') {
    const [who, component] = [named('personId') ?? named('teamId'), named('componentId')];
    return who && component ? `${who} (${named('linkType') ?? row?.linkType}) of ${component}` : name;
  }
  return name;
}

/** Why the user must resolve a conflict, as a sentence. Empty if there is no conflict. */
export function conflictText({ conflict, why, fields }: DraftChange): string {
  if (!why) return '';
  if (conflict !== 'fields') return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  const names = fields.flatMap((field) => (field.conflict ? [fieldLabel(field.field)] : []));
  return `The workspace and the draft have changed ${formatList([...new Set(names)])}.`;
}

/** Which side made the changes: the draft, or the workspace since the draft was started. */
export type ChangedBy = 'draft' | 'base';

/** The fields that a side has changed. The others have been changed by the other side, whose values stay. */
export function fieldsChangedBy({ fields }: Pick<DraftChange, 'fields'>, side: ChangedBy): DraftField[] {
  return fields.filter((field) => field.conflict || !isSameValue(field[side], field.branch));
}

const MAX_NAMED_FIELDS = 4;

/** The changed fields in a few words: `name and type changed`. Otherwise what happened to the row. */
export function changeSummary(of: DraftChange, side: ChangedBy = 'draft'): string {
  const { change, conflict } = of;
  if (conflict) return 'conflict';
  if (change !== 'changed') return change;
  const names = [...new Set(fieldsChangedBy(of, side).map(({ field }) => fieldLabel(field)))];
  const more = names.length - MAX_NAMED_FIELDS;
  const shown = more > 0 ? [...names.slice(0, MAX_NAMED_FIELDS - 1), `${more + 1} more fields`] : names;
  return shown.length > 0 ? `${formatList(shown)} changed` : 'changed';
}

/** A field with the value before and after the change, as text. */
export interface FieldTexts {
  field: string;
  label: string;
  /** Null for rows that are added. */
  before: string | null;
  /** Null for rows that are removed. */
  after: string | null;
  isConflict: boolean;
}

/** The maximum length of a value in a list. */
const MAX_VALUE = 600;

/** Fields that identify a row or are shown elsewhere. */
const HIDDEN_FIELDS = new Set(['id', 'workspaceId', 'seq', 'revision', 'row', 'x', 'y']);

/** Names of rows that values refer to; undefined if unknown. */
export type NameLookup = (field: string, id: string) => string | undefined;

/**
 * The fields that a side has changed, with both values. The draft changes the values of the workspace; the workspace has
 * changed those that the draft was started with. Positions are one field.
 */
export function fieldTexts(
  of: DraftChange,
  nameOf: NameLookup = () => undefined,
  side: ChangedBy = 'draft',
): FieldTexts[] {
  const { change, row } = of;
  const from = side === 'draft' ? 'base' : 'branch';
  const text = (field: string, value: unknown) => {
    const name = typeof value === 'string' ? nameOf(field, value) : undefined;
    return truncate(name ?? formatValue(field, value), MAX_VALUE);
  };
  const entry = (field: string, before: string, after: string, isConflict: boolean): FieldTexts => ({
    field,
    label: fieldLabel(field),
    before: change === 'added' ? null : before,
    after: change === 'removed' ? null : after,
    isConflict,
  });
  const fields = fieldsChangedBy(of, side);
  // The list names rows that are added or removed.
  const isName = (field: DraftField) => change !== 'changed' && of.name === (field.draft ?? field.base);
  const result = fields
    .filter((field) => !HIDDEN_FIELDS.has(field.field) && !isName(field))
    .map((field) =>
      entry(field.field, text(field.field, field[from]), text(field.field, field[side]), field.conflict),
    );
  const positions = fields.filter(({ field }) => field === 'x' || field === 'y');
  if (positions.length > 0 && (change === 'changed' || change === 'moved')) {
    const coordinate = (name: string, state: 'branch' | 'base' | 'draft') =>
      Math.round(Number(positions.find(({ field }) => field === name)?.[state] ?? row?.[name] ?? 0));
    const point = (state: 'branch' | 'base' | 'draft') =>
      `(${coordinate('x', state)}, ${coordinate('y', state)})`;
    const isConflict = positions.some(({ conflict }) => conflict);
    result.push({ ...entry('x', point(from), point(side), isConflict), field: 'position' });
  }
  // Rows that are added or removed have many fields without a value.
  return result.filter(({ before, after }) => !isEmpty(before) || !isEmpty(after));
}

function isEmpty(text: string | null): boolean {
  return text === null || text === '(empty)';
}
