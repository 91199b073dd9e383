/** The history grouped by change set, as text. */
import type { Note, PastChange } from '@/api/generated';
import { countOfKind } from '@/core/difference/describe';
import { isMoveOnly } from '@/core/difference/difference';
import { noteTitle } from '@/core/noteLabel';
import { fieldLabel, formatList, shorten } from '@/core/sync/describe';
import type { Fields } from '@/core/sync/operation';
import { splitViewRowId } from '@/core/sync/viewRows';
import { describeLayouts, isLayoutChange } from './viewLayouts';

/** The changes of one change set. */
export interface PastChangeSet {
  changeSetId: string;
  actor: PastChange['actor'];
  via: string;
  undoOf: string | undefined;
  /** The reason that the actor gave. */
  reason: string | undefined;
  /** Time of the last change, Unix milliseconds. */
  ts: number;
  /** The workspace's revisions before and after the change set. */
  before: number;
  after: number;
  changes: readonly PastChange[];
}

/** Groups changes, newest first, by change set. Requests with the same `X-Batch-Id` are separate change sets. */
export function groupChangeSets(changes: readonly PastChange[]): PastChangeSet[] {
  const groups = new Map<string, PastChange[]>();
  for (const change of changes) {
    const { changeSetId: id } = change;
    const known = groups.get(id);
    if (known) known.push(change);
    else groups.set(id, [change]);
  }
  return [...groups.values()].map(toChangeSet);
}

function toChangeSet(changes: readonly PastChange[]): PastChangeSet {
  const first = changes[0] as PastChange;
  const revisions = changes.map(({ revision }) => revision);
  return {
    changeSetId: first.changeSetId,
    actor: first.actor,
    via: first.via,
    undoOf: changes.find(({ undoOf }) => undoOf)?.undoOf,
    reason: first.reason,
    ts: first.ts,
    before: Math.min(...revisions) - 1,
    after: Math.max(...revisions),
    changes,
  };
}

/** The order in which kinds are listed, most familiar first. */
const ORDER = [
  'workspace',
  'component',
  'relationship',
  'process',
  'decision',
  'stakeholder',
  'note',
  'link',
  'member',
];

/** Describes a change set without its author: `moved 3 components`. */
export function describeChangeSet(
  { changes, undoOf }: PastChangeSet,
  nameOf: RowNameLookup = () => undefined,
): string {
  const isCreation = changes.some(({ entity, op }) => entity === 'workspace' && op === 'create');
  const shown = isCreation ? changes.filter(({ entity }) => entity !== 'member') : changes;
  const byVerb = new Map<string, Map<string, PastChange[]>>();
  for (const change of shown) {
    if (isLayoutChange(change)) continue;
    const verb = verbOf(change);
    const kinds = byVerb.get(verb) ?? new Map<string, PastChange[]>();
    kinds.set(change.entity, [...(kinds.get(change.entity) ?? []), change]);
    byVerb.set(verb, kinds);
  }
  const parts = [
    ...[...byVerb].map(([verb, kinds]) => describeVerb(verb, kinds, nameOf)),
    ...describeLayouts(changes, nameOf),
  ];
  return `${formatList(parts)}${undoOf ? ' (undo)' : ''}`;
}

function describeVerb(verb: string, kinds: ReadonlyMap<string, PastChange[]>, nameOf: RowNameLookup): string {
  const groups = [...kinds].sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const [first, ...rest] = groups;
  if (verb === 'added' && first?.[0] === 'workspace') {
    const things = rest.map(([, group]) => describeRows(group, nameOf));
    return `created the workspace${things.length > 0 ? ` with ${formatList(things)}` : ''}`;
  }
  const [only] = first?.[1] ?? [];
  if (verb === 'changed' && groups.length === 1 && first?.[1].length === 1 && only) {
    const what = only.entity === 'workspace' ? 'the workspace' : describeRows([only], nameOf);
    return `changed ${fieldsOf(only)} of ${what}`;
  }
  return `${verb} ${formatList(groups.map(([, group]) => describeRows(group, nameOf)))}`;
}

function describeRows(group: readonly PastChange[], nameOf: RowNameLookup): string {
  const first = group[0] as PastChange;
  if (group.length > 1) return countOfKind(group.length, first.entity);
  if (first.entity === 'workspace') return 'the workspace';
  return `${kindOf(first)} ${rowName(first, nameOf)}`;
}

/** The kind of a row: for a note, also frame or image. */
function kindOf({ entity, row, before }: PastChange): string {
  const kind = entity === 'note' ? (row ?? before)?.kind : entity;
  return String(kind ?? entity).replace('-', ' ');
}

/** Looks up the name of a row that a change refers to. */
export type RowNameLookup = (entity: string, id: string) => string | undefined;

function verbOf({ op, fields }: PastChange): string {
  if (op === 'create') return 'added';
  if (op === 'delete') return 'removed';
  return isMoveOnly(fields) ? 'moved' : 'changed';
}

function fieldsOf({ before, row, fields }: PastChange): string {
  const names = fields.flatMap((field) =>
    field === 'properties' ? propertiesOf(before, row) : [fieldLabel(field)],
  );
  return (
    formatList(names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more fields`] : names) ||
    'something'
  );
}

function propertiesOf(before: Fields | null, row: Fields | null): string[] {
  const [was, is] = [before?.properties ?? {}, row?.properties ?? {}] as [Fields, Fields];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys
    .filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]))
    .map((key) => fieldLabel(`properties.${key}`));
}

/** The display name of the row of a change. */
export function rowName(change: PastChange, nameOf: RowNameLookup = () => undefined): string {
  const row = (change.row ?? change.before ?? {}) as Fields;
  const component = (id: unknown) => shorten(nameOf('component', String(id)) ?? String(id));
  switch (change.entity) {
    case 'relationship':
      return `${component(row.sourceId)} → ${component(row.targetId)}`;
    case 'stakeholder': {
      const holder = row.personId
        ? nameOf('person', String(row.personId))
        : nameOf('team', String(row.teamId));
      return `${shorten(holder ?? String(row.personId ?? row.teamId))} of ${component(row.componentId)}`;
    }
    case 'view-place':
    case 'view-line': {
      const [viewId, of] = splitViewRowId(change.entityId);
      const line = nameOf('relationship', of) ?? of;
      const what = change.entity === 'view-place' ? component(of) : shorten(line);
      return `“${what}” in “${shorten(nameOf('view', viewId) ?? viewId)}”`;
    }
    case 'member':
      return `“${shorten(nameOf('user', String(row.userId)) ?? `user ${String(row.userId)}`)}”`;
    case 'note':
      return `“${noteTitle(row as unknown as Pick<Note, 'kind' | 'text'>)}”`;
    case 'link':
      return `“${shorten(String(row.title ?? row.url ?? change.entityId))}”`;
    default:
      return `“${shorten(String(row.name ?? row.displayName ?? row.title ?? change.entityId))}”`;
  }
}
