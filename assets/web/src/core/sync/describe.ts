/** Descriptions of operations, fields and values for users. */
import type { Note, RelationshipLine } from '@/api/generated';
import { noteLabel } from '@/core/noteLabel';
import { splitViewRowId } from '@/core/sync/viewRows';
import { formatCount, truncate } from '@/core/text';
import { formatDateTime } from '../time/format';
import type { Fields, Operation } from './operation';
import type { Edit } from './queue';
import { type Kind, mapOf, type Rows } from './rows';

/** The maximum length of a name within a sentence. */
const MAX_MENTION_LENGTH = 60;

/** The description of an edit: its label, or its only operation. */
export function describeEdit({ label, operations }: Edit, rows: Rows | null): string {
  const [first] = operations;
  return first && operations.length === 1 ? describeOperation(first, rows) : label;
}

/** The description of an operation: `Change name of “Web”`. */
export function describeOperation(operation: Operation, rows: Rows | null): string {
  switch (operation.op) {
    case 'create':
      return `Add ${rowLabel(rows, operation.kind, operation.id, operation.fields)}`;
    case 'delete':
      return `Delete ${rowLabel(rows, operation.kind, operation.id, operation.fields)}`;
    case 'update':
      return `Change ${formatList(Object.keys(operation.fields).map(fieldLabel))} of ${rowLabel(rows, operation.kind, operation.id, operation.before)}`;
    case 'workspace':
      return `Change ${formatList(Object.keys(operation.fields).map(fieldLabel))} of the workspace`;
    case 'move': {
      const [first] = operation.moves;
      return first && operation.moves.length === 1
        ? `Move ${rowLabel(rows, 'component', first.id)}`
        : `Move ${operation.moves.length} components`;
    }
    case 'put':
      return `Change ${rowLabel(rows, operation.kind, operation.id)}`;
  }
}

/** The kind and name of a row: `component “Web”`. */
export function rowLabel(rows: Rows | null, kind: Kind, id: string, fields: Fields = {}): string {
  const row = (rows ? mapOf(rows, kind).get(id) : undefined) as Fields | undefined;
  const all = { ...fields, ...row };
  const component = (of: unknown) => (typeof of === 'string' ? (rows?.component.get(of)?.name ?? of) : '?');
  switch (kind) {
    case 'relationship':
      return `relationship ${shorten(component(all.sourceId))} → ${shorten(component(all.targetId))}`;
    case 'stakeholder': {
      const who = (all.person ?? all.team) as { name?: string } | null | undefined;
      return `${shorten(who?.name ?? String(all.personId ?? all.teamId ?? 'unknown'))} as stakeholder of ${shorten(component(all.componentId))}`;
    }
    case 'view-place':
    case 'view-line': {
      const [viewId, of] = splitViewRowId(id);
      const view = shorten(rows?.view.get(viewId)?.name ?? viewId);
      return kind === 'view-place'
        ? `position of ${shorten(component(of))} in view “${view}”`
        : `line of ${rowLabel(rows, 'relationship', of)} in view “${view}”`;
    }
    case 'note':
      return noteLabel(all as Pick<Note, 'kind' | 'text'>);
    default:
      return `${kind} “${shorten(String(all.name ?? all.title ?? id))}”`;
  }
}

const FIELDS: Readonly<Record<string, string>> = {
  typeId: 'type',
  sourceId: 'source',
  targetId: 'target',
  personId: 'person',
  teamId: 'team',
  linkType: 'role',
  sourceRevision: 'revision',
  lastSynced: 'last synced',
  accepted: 'accepted as missing',
  splitOff: 'split off',
  mermaid: 'diagram',
  x: 'position',
  y: 'position',
  seq: 'order',
  position: 'order',
  definition: 'rules',
  opens: 'view to open',
  userId: 'user',
  line: 'line on the map',
  width: 'size',
  height: 'size',
  imageId: 'image',
  componentIds: 'components',
  supersedes: 'superseded decisions',
  body: 'text',
};

/** The display name of a field. */
export function fieldLabel(field: string): string {
  if (field.startsWith('properties.')) return `property “${field.slice('properties.'.length)}”`;
  return FIELDS[field] ?? field;
}

/** Formats the value of a field as text. */
export function formatValue(field: string, value: unknown): string {
  if (field === 'line') return formatLine(value as RelationshipLine | null | undefined);
  if (typeof value === 'number' && field.endsWith('At')) return formatDateTime(value);
  return formatPlainValue(value);
}

function formatPlainValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(empty)';
  if (typeof value !== 'object') return String(value);
  const isFlat = Object.values(value).every((part) => typeof part !== 'object' || part === null);
  if (!isFlat) return JSON.stringify(value, null, 1).replaceAll('\n ', ' ').replaceAll('\n', ' ');
  const parts = Array.isArray(value)
    ? value.map(formatPlainValue)
    : Object.entries(value).map(([key, part]) => `${key}: ${formatPlainValue(part)}`);
  return parts.join(', ') || '(empty)';
}

/** The maximum number of waypoints whose coordinates are listed. */
const MAX_LISTED_WAYPOINTS = 4;

/** Describes how a line is laid out: `straight`, `2 waypoints (120, 40) and (300, 40), label at 30%`. */
function formatLine(line: RelationshipLine | null | undefined): string {
  const { shape, via = [], labelPosition } = line ?? {};
  const points = (via ?? []).slice(0, MAX_LISTED_WAYPOINTS).map(([x, y]) => `(${x}, ${y})`);
  const more = via && via.length > points.length ? ['more'] : [];
  const parts = [
    shape ?? '',
    points.length > 0
      ? `${formatCount(via?.length ?? 0, 'waypoint')} ${formatList([...points, ...more])}`
      : '',
    typeof labelPosition === 'number' ? `label at ${Math.round(labelPosition * 1000) / 10}%` : '',
  ];
  return parts.filter(Boolean).join(', ') || 'automatic';
}

/** Formats a list as `name, type and description`. */
export function formatList(words: readonly string[]): string {
  const all = [...new Set(words)];
  if (all.length < 2) return all.join('');
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** Truncates a text for use within a sentence. */
export function shorten(text: string): string {
  return truncate(text, MAX_MENTION_LENGTH);
}
