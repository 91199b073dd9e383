/** The columns of the table: content, sort order, and how edits change the component. */
import type { Catalogue, Component, KindField } from '@/api/generated';
import { CUSTOM_TYPE_PROPERTY, type CustomType, customTypeOf } from '@/core/model/customTypes';
import { withProperty } from '@/core/model/edits';
import { formatKeywords, keywordsProblem, parseKeywords } from '@/core/model/keywords';
import { fieldOptions, fieldProblem, parseField } from '@/core/model/kindFields';
import { nameProblem, textProblem } from '@/core/model/validation';
import type { Fields } from '@/core/sync/operation';
import type { ComponentRow } from './componentRows';

export interface ColumnChoice {
  id: string;
  name: string;
  color?: string;
}

export interface Column {
  /** For example `name` or `property:tier`. */
  id: string;
  name: string;
  /** The custom property that the column shows, if any. */
  property?: string;
  width: number;
  kind: 'text' | 'long' | 'choice' | 'number' | 'time';
  /** The text to show, search and export. */
  text: (line: ComponentRow) => string;
  /** The text in CSV files, if it differs from the shown text. */
  exported?: (line: ComponentRow) => string;
  /** The sort key, if it differs from the text; for times, Unix milliseconds. */
  order?: (line: ComponentRow) => number;
  /** The available choices. */
  choices?: readonly ColumnChoice[];
  /** The initial value of an edit, if it differs from the text. */
  raw?: (line: ComponentRow) => string;
  /** The fields that an edit changes, or an error message. Columns without it are read-only. */
  write?: (component: Component, text: string) => Fields | string;
}

/** The default columns. */
export const DEFAULT_COLUMNS = [
  'name',
  'type',
  'property:kind',
  'lifecycle',
  'partOf',
  'description',
  'owners',
  'incoming',
  'outgoing',
  'updated',
];

/** All available columns for these rows. `types` are the kinds of the organization and other custom types. */
export function allColumns(
  lines: readonly ComponentRow[],
  catalogue: Catalogue,
  types: readonly CustomType[] = [],
): Column[] {
  const components = lines.map(({ component }) => component);
  const kinds = types.filter(({ kind }) => kind);
  const fields = fieldsOf(components, types);
  const keys = new Set([...fields.keys(), ...propertyKeys(components)]);
  const kind = kinds.length > 0 ? [kindColumn(types)] : [];
  if (kinds.length > 0) keys.delete(CUSTOM_TYPE_PROPERTY);
  const properties = [...keys].map((key) => {
    const field = fields.get(key);
    return field ? fieldColumn(field) : propertyColumn(key, lines);
  });
  const fixed = fixedColumns(catalogue);
  const afterType = fixed.findIndex(({ id }) => id === 'type') + 1;
  return [...fixed.slice(0, afterType), ...kind, ...fixed.slice(afterType), ...properties];
}

/** The fields of the kinds that components have, by key. */
function fieldsOf(components: readonly Component[], types: readonly CustomType[]): Map<string, KindField> {
  const used = new Set(components.map((component) => customTypeOf(types, component)?.kind));
  const fields = new Map<string, KindField>();
  for (const kind of used) {
    for (const field of kind?.fields ?? []) if (!fields.has(field.key)) fields.set(field.key, field);
  }
  return fields;
}

/** The kind of the organization. It is shown by name, and exported as the property, so that an import changes nothing. */
function kindColumn(types: readonly CustomType[]): Column {
  const kinds = types.flatMap(({ kind }) => kind ?? []);
  const of = ({ component }: ComponentRow) => customTypeOf(types, component)?.kind;
  return {
    id: `property:${CUSTOM_TYPE_PROPERTY}`,
    name: 'Kind',
    width: 150,
    kind: 'choice',
    text: (line) => of(line)?.name ?? propertyText(line.component.properties[CUSTOM_TYPE_PROPERTY]),
    exported: ({ component }) => propertyText(component.properties[CUSTOM_TYPE_PROPERTY]),
    raw: (line) => of(line)?.id ?? '',
    choices: [{ id: '', name: 'None' }, ...kinds.map(({ id, name, color }) => ({ id, name, color }))],
    write: ({ properties }, id) => ({
      ...typeFields(kinds.find((kind) => kind.id === id)?.baseType),
      properties: withProperty(properties, CUSTOM_TYPE_PROPERTY, id || undefined),
    }),
  };
}

function typeFields(typeId: string | undefined): Fields {
  return typeId ? { typeId } : {};
}

/** A field of a kind. Values that other clients wrote may have another type. */
function fieldColumn(field: KindField): Column {
  const { key, name, type } = field;
  const options = fieldOptions(field);
  const raw = ({ component }: ComponentRow) => propertyText(ownProperty(component, key));
  return {
    id: `property:${key}`,
    name,
    width: 140,
    kind: options ? 'choice' : 'text',
    text: (line) => options?.find(({ id }) => id === raw(line))?.name ?? raw(line),
    exported: raw,
    raw,
    ...(type === 'number' ? { order: ({ component }) => numberOf(ownProperty(component, key)) } : {}),
    ...(options ? { choices: [{ id: '', name: 'Not set' }, ...options] } : {}),
    write: ({ properties }, text) =>
      fieldProblem(field, text) ?? { properties: withProperty(properties, key, parseField(field, text)) },
  };
}

/** Components without a number are sorted before all others. */
function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NEGATIVE_INFINITY;
}

function ownProperty({ properties }: Component, key: string): unknown {
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** The property keys of the components, except for the lifecycle, which has a separate column. */
export function propertyKeys(components: readonly Component[]): string[] {
  const keys = new Set(components.flatMap(({ properties }) => Object.keys(properties)));
  keys.delete('lifecycle');
  return [...keys].sort((a, b) => a.localeCompare(b));
}

function fixedColumns(catalogue: Catalogue): Column[] {
  const states = new Map(catalogue.lifecycleStates.map(({ id, name }) => [id, name]));
  const lifecycle = ({ component }: ComponentRow) => propertyText(component.properties.lifecycle);
  return [
    {
      id: 'name',
      name: 'Name',
      width: 240,
      kind: 'text',
      text: ({ component }) => component.name,
      write: (_, text) => nameFields(text),
    },
    {
      id: 'type',
      name: 'Type',
      width: 150,
      kind: 'choice',
      text: ({ typeName }) => typeName,
      raw: ({ component }) => component.typeId,
      choices: catalogue.componentTypes,
      write: (_, typeId) => ({ typeId }),
    },
    {
      id: 'lifecycle',
      name: 'Lifecycle',
      width: 120,
      kind: 'choice',
      text: (line) => states.get(lifecycle(line)) ?? lifecycle(line),
      order: (line) => catalogue.lifecycleStates.findIndex(({ id }) => id === lifecycle(line)),
      raw: lifecycle,
      choices: [{ id: '', name: 'Not set' }, ...catalogue.lifecycleStates],
      write: (component, text) => ({
        properties: withProperty(component.properties, 'lifecycle', text || undefined),
      }),
    },
    {
      id: 'partOf',
      name: 'Part of',
      width: 150,
      kind: 'text',
      text: ({ partOf }) => partOf,
      raw: ({ parentId }) => parentId,
    },
    {
      id: 'description',
      name: 'Description',
      width: 320,
      kind: 'long',
      text: ({ component }) => component.description ?? '',
      write: (_, description) => descriptionFields(description),
    },
    keywordColumn('technology', 'Technology'),
    keywordColumn('tags', 'Tags'),
    { id: 'owners', name: 'Owners', width: 170, kind: 'text', text: ({ owners }) => owners },
    {
      id: 'stakeholders',
      name: 'Stakeholders',
      width: 240,
      kind: 'text',
      text: ({ stakeholders }) => stakeholders,
    },
    countColumn('incoming', 'In', ({ incoming }) => incoming),
    countColumn('outgoing', 'Out', ({ outgoing }) => outgoing),
    { ...countColumn('comments', 'Open comments', ({ comments }) => comments), width: 130 },
    timeColumn('updated', 'Updated', ({ component }) => component.updatedAt),
    timeColumn('created', 'Created', ({ component }) => component.createdAt),
    { id: 'id', name: 'Id', width: 170, kind: 'text', text: ({ id }) => id },
  ];
}

/** A list of tags or technologies, separated by commas. */
function keywordColumn(id: 'technology' | 'tags', name: string): Column {
  return {
    id,
    name,
    width: 170,
    kind: 'text',
    text: ({ component }) => formatKeywords(component[id]),
    write: (_, text) => keywordFields(id, text),
  };
}

function countColumn(id: string, name: string, order: (line: ComponentRow) => number): Column {
  return { id, name, width: 70, kind: 'number', text: (line) => String(order(line)), order };
}

function timeColumn(id: string, name: string, order: (line: ComponentRow) => number): Column {
  return { id, name, width: 165, kind: 'time', text: (line) => iso(order(line)), order };
}

/** Formats a time in ISO 8601: `2026-11-22T04:14:00Z`. */
function iso(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/, '');
}

function propertyColumn(key: string, lines: readonly ComponentRow[]): Column {
  // The type of existing values determines whether the text is parsed as a number.
  const example = lines.find(({ component }) => component.properties[key] !== undefined)?.component
    .properties[key];
  return {
    id: `property:${key}`,
    name: key,
    property: key,
    width: 140,
    kind: 'text',
    text: ({ component }) => propertyText(component.properties[key]),
    write: (component, text) => {
      const value = text === '' ? undefined : parseLike(text, component.properties[key] ?? example);
      return { properties: withProperty(component.properties, key, value) };
    },
  };
}

/** The fields to write for a name, or an error message. */
export function nameFields(text: string): Fields | string {
  return nameProblem(text) ?? { name: text.trim() };
}

/** The fields to write for a list of tags or technologies, or an error message. */
export function keywordFields(field: 'technology' | 'tags', text: string): Fields | string {
  return keywordsProblem(text) ?? { [field]: parseKeywords(text) };
}

export function descriptionFields(description: string): Fields | string {
  return textProblem(description) ?? { description };
}

/** Parses a text as a value of the same type as an existing one. */
export function parseLike(text: string, like: unknown): unknown {
  if (typeof like === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (typeof like === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (like !== null && typeof like === 'object') {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

export function propertyText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
