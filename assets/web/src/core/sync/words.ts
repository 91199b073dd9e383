/** Operations, fields and values as text. */
import type { Fields, Operation } from './operation';
import type { Edit } from './queue';
import { type Kind, mapOf, type Rows } from './rows';

/** The maximum length of a name within a sentence. */
const MENTION = 60;

/** The description of an edit: its only operation, or its label. */
export function sayEdit({ label, operations }: Edit, rows: Rows | null): string {
  const [first] = operations;
  return first && operations.length === 1 ? sayOperation(first, rows) : label;
}

/** The description of an operation: `Change name of “Web”`. */
export function sayOperation(operation: Operation, rows: Rows | null): string {
  switch (operation.op) {
    case 'create':
      return `Add ${named(rows, operation.kind, operation.id, operation.fields)}`;
    case 'delete':
      return `Delete ${named(rows, operation.kind, operation.id, operation.fields)}`;
    case 'update':
      return `Change ${list(Object.keys(operation.fields).map(sayField))} of ${named(rows, operation.kind, operation.id, operation.before)}`;
    case 'workspace':
      return `Change ${list(Object.keys(operation.fields).map(sayField))} of the workspace`;
    case 'move': {
      const [first] = operation.moves;
      return first && operation.moves.length === 1
        ? `Move ${named(rows, 'component', first.id)}`
        : `Move ${operation.moves.length} components`;
    }
  }
}

/** The kind and name of a row: `component “Web”`. */
export function named(rows: Rows | null, kind: Kind, id: string, fields: Fields = {}): string {
  const row = (rows ? mapOf(rows, kind).get(id) : undefined) as Fields | undefined;
  const all = { ...fields, ...row };
  const component = (of: unknown) => (typeof of === 'string' ? (rows?.component.get(of)?.name ?? of) : '?');
  switch (kind) {
    case 'relationship':
      return `relationship ${cut(component(all.sourceId))} → ${cut(component(all.targetId))}`;
    case 'stakeholder': {
      const who = (all.person ?? all.team) as { name?: string } | null | undefined;
      return `${cut(who?.name ?? String(all.personId ?? all.teamId ?? 'unknown'))} as stakeholder of ${cut(component(all.componentId))}`;
    }
    default:
      return `${kind} “${cut(String(all.name ?? id))}”`;
  }
}

const FIELDS: Readonly<Record<string, string>> = {
  typeId: 'type',
  sourceId: 'source',
  targetId: 'target',
  personId: 'person',
  teamId: 'team',
  linkType: 'role',
  mermaid: 'diagram',
  x: 'position',
  y: 'position',
  seq: 'order',
  userId: 'user',
};

/** The display name of a field. */
export function sayField(field: string): string {
  if (field.startsWith('properties.')) return `property “${field.slice('properties.'.length)}”`;
  return FIELDS[field] ?? field;
}

/** A value as text. */
export function sayValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(empty)';
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, 1).replaceAll('\n ', ' ').replaceAll('\n', ' ');
}

/** `name, type and description`. */
export function list(words: readonly string[]): string {
  const all = [...new Set(words)];
  if (all.length < 2) return all.join('');
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** Shortens a text for use within a sentence. */
export function cut(text: string): string {
  const letters = [...text];
  return letters.length > MENTION ? `${letters.slice(0, MENTION - 1).join('')}…` : text;
}
