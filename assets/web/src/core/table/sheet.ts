/** What a sheet would do to a workspace: which components come, which change and how, and which lines cannot be used. */
import type { Catalogue, Component } from '@/api/generated';
import { updateOf } from '@/core/model/edits';
import { freeId } from '@/core/model/ids';
import { same } from '@/core/sync/merge';
import type { Fields, Operation } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';
import { typed, writtenDescription, writtenName } from './columns';
import { RESERVED, type Sheet } from './csv';
import { creation } from './edits';

export interface SheetPlan {
  created: { id: string; name: string; fields: Fields }[];
  updated: { component: Component; fields: Fields; what: string[] }[];
  unchanged: number;
  /** In words, with the line. */
  problems: string[];
  /** Columns that a component does not hold itself. */
  ignored: string[];
}

const PREFIX = 'property:';
/** Counted or looked up: read in exports, never written. */
const DERIVED = new Set(['owners', 'stakeholders', 'in', 'out', 'updated', 'created']);

type Of = Pick<Rows, 'component'>;

export function planOf(sheet: Sheet, rows: Of, catalogue: Catalogue): SheetPlan {
  const plan: SheetPlan = {
    created: [],
    updated: [],
    unchanged: 0,
    problems: [...sheet.problems],
    ignored: [],
  };
  const headings = sheet.headings.map((heading) => keyOf(heading));
  plan.ignored = sheet.headings.filter((_, at) => DERIVED.has(headings[at] ?? ''));
  if (!headings.includes('name') && !headings.includes('id')) {
    plan.problems.push('The first row must contain the column names, including “Name” or “Id”.');
    return plan;
  }
  const byName = namesOf(rows);
  const seen = new Map<string, number>();
  const taken = new Set(rows.component.keys());
  const examples = examplesOf(rows);
  for (const { number, cells } of sheet.lines) {
    const wrong = lineInto(plan, { headings, cells, number, rows, byName, seen, taken, catalogue, examples });
    if (wrong) plan.problems.push(`Row ${number}: ${wrong}`);
  }
  return plan;
}

/** The operations that carry it out. */
export function operationsOf({ created, updated }: SheetPlan, rows: Rows): Operation[] {
  return [
    ...created.map(({ id, fields }, at) => creation(rows, id, fields, at)),
    ...updated.flatMap(({ component, fields }) => updateOf('component', component.id, component, fields)),
  ];
}

interface Around {
  headings: string[];
  cells: string[];
  number: number;
  rows: Of;
  byName: ReadonlyMap<string, Component | null>;
  seen: Map<string, number>;
  /** Ids that are in use. */
  taken: Set<string>;
  catalogue: Catalogue;
  examples: ReadonlyMap<string, unknown>;
}

/** Adds a line to the plan. Answers why it cannot be. */
function lineInto(plan: SheetPlan, around: Around): string | undefined {
  const { headings, cells, rows, byName, seen, taken, number } = around;
  const cell = (key: string) => cells[headings.indexOf(key)]?.trim() ?? '';
  const name = cell('name');
  const id = cell('id');
  if (!id && !name) return 'name or id is missing.';
  const found = id ? rows.component.get(id) : byName.get(fold(name));
  if (found === null)
    return `several components are named “${name.slice(0, 60)}”. Add an Id column to identify them.`;
  if (!found && !name)
    return `component “${id.slice(0, 60)}” does not exist, and a new component needs a name.`;
  const fields = fieldsOf(found, around);
  if (typeof fields === 'string') return fields;
  const key = found?.id ?? (id || fold(name));
  const before = seen.get(key);
  if (before !== undefined) return `is the same component as row ${before}.`;
  seen.set(key, number);
  if (!found) {
    const free = id || freeId(name, (one) => taken.has(one));
    taken.add(free);
    plan.created.push({ id: free, name, fields });
    return undefined;
  }
  const held = found as unknown as Fields;
  const what = Object.keys(fields).filter((field) => !same(held[field], fields[field]));
  if (what.length === 0) plan.unchanged += 1;
  else plan.updated.push({ component: found, fields, what });
  return undefined;
}

/** What the line says of a component; a text says what is wrong. */
function fieldsOf(found: Component | undefined, around: Around): Fields | string {
  const { headings, cells, catalogue, examples } = around;
  const fields: Fields = found ? {} : { typeId: usualType(catalogue) };
  const properties: Fields = { ...found?.properties };
  let hasProperties = false;
  for (const [at, heading] of headings.entries()) {
    const text = cells[at]?.trim() ?? '';
    if (heading === PREFIX) continue;
    if (heading.startsWith(PREFIX) || heading === 'lifecycle') {
      const wrong = setProperty(properties, heading, text, catalogue, examples);
      if (wrong) return wrong;
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
      return text || !exists ? writtenName(text) : {};
    case 'description':
      return text || exists ? writtenDescription(text) : {};
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
  const type = componentTypes.find(({ id, name }) => fold(id) === fold(text) || fold(name) === fold(text));
  if (type) return { typeId: type.id };
  return `unknown type “${text.slice(0, 60)}”. Types: ${componentTypes.map(({ name }) => name).join(', ')}.`;
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
    properties[key] = typed(text, properties[key] ?? examples.get(key));
    return undefined;
  }
  const state = lifecycleStates.find(({ id, name }) => fold(id) === fold(text) || fold(name) === fold(text));
  if (!state) {
    const names = lifecycleStates.map(({ name }) => name).join(', ');
    return `unknown lifecycle state “${text.slice(0, 60)}”. States: ${names}.`;
  }
  properties.lifecycle = state.id;
  return undefined;
}

/** What a heading means: a field, or a property. */
function keyOf(heading: string): string {
  const key = heading.toLowerCase();
  if (RESERVED.has(key)) return key;
  return heading.startsWith(PREFIX) ? heading : `${PREFIX}${heading}`;
}

function usualType({ componentTypes }: Catalogue): string {
  return (componentTypes.find(({ id }) => id === 'service') ?? componentTypes[0])?.id ?? 'service';
}

/** Components by name; null where several are called that. */
function namesOf({ component }: Of): Map<string, Component | null> {
  const names = new Map<string, Component | null>();
  for (const one of component.values()) {
    names.set(fold(one.name), names.has(fold(one.name)) ? null : one);
  }
  return names;
}

function examplesOf({ component }: Of): Map<string, unknown> {
  const examples = new Map<string, unknown>();
  for (const { properties } of component.values()) {
    for (const [key, value] of Object.entries(properties)) {
      if (!examples.has(key)) examples.set(key, value);
    }
  }
  return examples;
}

function fold(text: string): string {
  return text.trim().toLocaleLowerCase();
}
