/** Plans the import of a CSV file: which components are created or updated, and which rows are invalid. */

import type { Catalogue, Component } from '@/api/generated';
import { freeId } from '@/core/ids';
import { updateOperation } from '@/core/model/edits';
import { isSameValue } from '@/core/sync/merge';
import type { Fields, Operation } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';
import { truncate } from '@/core/text';
import { descriptionFields, nameFields, parseLike } from './columns';
import { type CsvTable, RESERVED_HEADINGS } from './csv';
import { createComponentOperation } from './edits';

export interface SheetImport {
  created: { id: string; name: string; fields: Fields }[];
  updated: { component: Component; fields: Fields; what: string[] }[];
  unchanged: number;
  /** Error messages with row numbers. */
  problems: string[];
  /** Columns that are ignored because they are not component fields. */
  ignored: string[];
}

const PREFIX = 'property:';
/** Derived columns: exported, but ignored on import. */
const DERIVED = new Set(['part of', 'owners', 'stakeholders', 'in', 'out', 'updated', 'created']);

type ComponentRows = Pick<Rows, 'component'>;

export function planSheetImport(sheet: CsvTable, rows: ComponentRows, catalogue: Catalogue): SheetImport {
  const result: SheetImport = {
    created: [],
    updated: [],
    unchanged: 0,
    problems: [...sheet.problems],
    ignored: [],
  };
  const headings = sheet.headings.map((heading) => keyOf(heading));
  result.ignored = sheet.headings.filter((_, at) => DERIVED.has(headings[at] ?? ''));
  if (!headings.includes('name') && !headings.includes('id')) {
    result.problems.push('The first row must contain the column names, including “Name” or “Id”.');
    return result;
  }
  const byName = namesOf(rows);
  const seen = new Map<string, number>();
  const taken = new Set(rows.component.keys());
  const examples = examplesOf(rows);
  for (const { number, cells } of sheet.lines) {
    const problem = addRow(result, {
      headings,
      cells,
      number,
      rows,
      byName,
      seen,
      taken,
      catalogue,
      examples,
    });
    if (problem) result.problems.push(`Row ${number}: ${problem}`);
  }
  return result;
}

/** The operations of the import. */
export function sheetOperations({ created, updated }: SheetImport, rows: Rows): Operation[] {
  return [
    ...created.map(({ id, fields }, at) => createComponentOperation(rows, id, fields, at)),
    ...updated.flatMap(({ component, fields }) =>
      updateOperation('component', component.id, component, fields),
    ),
  ];
}

interface RowContext {
  headings: string[];
  cells: string[];
  number: number;
  rows: ComponentRows;
  byName: ReadonlyMap<string, Component | null>;
  seen: Map<string, number>;
  /** IDs in use. */
  taken: Set<string>;
  catalogue: Catalogue;
  examples: ReadonlyMap<string, unknown>;
}

/** Adds a row to the plan. Returns an error message if it is invalid. */
function addRow(result: SheetImport, around: RowContext): string | undefined {
  const { headings, cells, rows, byName, seen, taken, number } = around;
  const cell = (key: string) => cells[headings.indexOf(key)]?.trim() ?? '';
  const name = cell('name');
  const id = cell('id');
  if (!id && !name) return 'name or id is missing.';
  const found = id ? rows.component.get(id) : byName.get(normalizeName(name));
  if (found === null)
    return `several components are named “${truncate(name, 60)}”. Add an Id column to identify them.`;
  if (!found && !name)
    return `component “${truncate(id, 60)}” does not exist, and a new component needs a name.`;
  const fields = fieldsOf(found, around);
  if (typeof fields === 'string') return fields;
  const key = found?.id ?? (id || normalizeName(name));
  const before = seen.get(key);
  if (before !== undefined) return `is the same component as row ${before}.`;
  seen.set(key, number);
  if (!found) {
    const free = id || freeId(name, (candidate) => taken.has(candidate));
    taken.add(free);
    result.created.push({ id: free, name, fields });
    return undefined;
  }
  const current = found as unknown as Fields;
  const what = Object.keys(fields).filter((field) => !isSameValue(current[field], fields[field]));
  if (what.length === 0) result.unchanged += 1;
  else result.updated.push({ component: found, fields, what });
  return undefined;
}

/** The component fields of a row, or an error message. */
function fieldsOf(found: Component | undefined, around: RowContext): Fields | string {
  const { headings, cells, catalogue, examples } = around;
  const fields: Fields = found ? {} : { typeId: usualType(catalogue) };
  const properties: Fields = { ...found?.properties };
  let hasProperties = false;
  for (const [at, heading] of headings.entries()) {
    const text = cells[at]?.trim() ?? '';
    if (heading === PREFIX) continue;
    if (heading.startsWith(PREFIX) || heading === 'lifecycle') {
      const problem = setProperty(properties, heading, text, catalogue, examples);
      if (problem) return problem;
      hasProperties = true;
    } else {
      const written = field(heading, text, Boolean(found), catalogue);
      if (typeof written === 'string') return written;
      Object.assign(fields, written);
    }
  }
  return hasProperties ? { ...fields, properties } : fields;
}

function field(heading: string, text: string, exists: boolean, catalogue: Catalogue): Fields | string {
  switch (heading) {
    case 'name':
      return text || !exists ? nameFields(text) : {};
    case 'description':
      return text || exists ? descriptionFields(text) : {};
    case 'type':
      return text ? typeOf(text, catalogue) : {};
    case 'x':
    case 'y':
      if (!text) return {};
      return Number.isFinite(Number(text))
        ? { [heading]: Number(text) }
        : `${heading} must be a number, is “${text}”.`;
    default:
      return {};
  }
}

function typeOf(text: string, { componentTypes }: Catalogue): Fields | string {
  const type = componentTypes.find(
    ({ id, name }) =>
      normalizeName(id) === normalizeName(text) || normalizeName(name) === normalizeName(text),
  );
  if (type) return { typeId: type.id };
  return `unknown type “${truncate(text, 60)}”. Types: ${componentTypes.map(({ name }) => name).join(', ')}.`;
}

function setProperty(
  properties: Fields,
  heading: string,
  text: string,
  { lifecycleStates }: Catalogue,
  examples: ReadonlyMap<string, unknown>,
): string | undefined {
  const key = heading.startsWith(PREFIX) ? heading.slice(PREFIX.length) : heading;
  if (text === '') {
    delete properties[key];
    return undefined;
  }
  if (key !== 'lifecycle') {
    properties[key] = parseLike(text, properties[key] ?? examples.get(key));
    return undefined;
  }
  const state = lifecycleStates.find(
    ({ id, name }) =>
      normalizeName(id) === normalizeName(text) || normalizeName(name) === normalizeName(text),
  );
  if (!state) {
    const names = lifecycleStates.map(({ name }) => name).join(', ');
    return `unknown lifecycle state “${truncate(text, 60)}”. States: ${names}.`;
  }
  properties.lifecycle = state.id;
  return undefined;
}

/** The field or property of a heading. */
function keyOf(heading: string): string {
  const key = heading.toLowerCase();
  if (RESERVED_HEADINGS.has(key)) return key;
  return heading.startsWith(PREFIX) ? heading : `${PREFIX}${heading}`;
}

function usualType({ componentTypes }: Catalogue): string {
  return (componentTypes.find(({ id }) => id === 'service') ?? componentTypes[0])?.id ?? 'service';
}

/** Components by name; null if the name is ambiguous. */
function namesOf({ component }: ComponentRows): Map<string, Component | null> {
  const names = new Map<string, Component | null>();
  for (const row of component.values()) {
    names.set(normalizeName(row.name), names.has(normalizeName(row.name)) ? null : row);
  }
  return names;
}

function examplesOf({ component }: ComponentRows): Map<string, unknown> {
  const examples = new Map<string, unknown>();
  for (const { properties } of component.values()) {
    for (const [key, value] of Object.entries(properties)) {
      if (!examples.has(key)) examples.set(key, value);
    }
  }
  return examples;
}

function normalizeName(text: string): string {
  return text.trim().toLocaleLowerCase();
}
