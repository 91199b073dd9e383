/** Plans the import of a CSV file: which components are created or updated, and which rows are invalid. */

import type { Catalogue, Component } from '@/api/generated';
import { freeId } from '@/core/ids';
import { CUSTOM_TYPE_PROPERTY, type CustomType } from '@/core/model/customTypes';
import { newStakeholder, setOwners, updateOperation } from '@/core/model/edits';
import { type Holder, type Model, OWNER, ownersOf as ownersOfComponent } from '@/core/model/model';
import { setParents } from '@/core/model/parents';
import type { Placement } from '@/core/scene/scene';
import { isSameValue } from '@/core/sync/merge';
import type { Fields, Operation } from '@/core/sync/operation';
import { truncate } from '@/core/text';
import { descriptionFields, keywordFields, nameFields } from './columns';
import { ownersKey } from './componentRows';
import { type CsvTable, PREFIX } from './csv';
import { createComponentOperation, importOrigin } from './edits';
import { columnKeys, KIND_COLUMN, setBaseType } from './importKinds';
import { normalizeName, type ParentRequest, resolveParents } from './importParents';
import { newSize, type PackedItem, packedPositions } from './importPositions';
import { examplesOf, setKindFields, setProperty } from './importProperties';
import { parseOwners } from './owners';
import { compareWithExport, type SameCell, type SheetRows } from './sheetColumns';

/** What a row changes in addition to fields. Undefined if the file has no such column, or if it is unchanged. */
interface RowLinks {
  owners?: readonly Holder[] | undefined;
  /** The group of the component; null for none. */
  parent?: string | null | undefined;
}

export interface SheetImport {
  created: ({ id: string; name: string; fields: Fields } & RowLinks)[];
  updated: ({ component: Component; fields: Fields; what: string[] } & RowLinks)[];
  unchanged: number;
  /** Error messages with row numbers. */
  problems: string[];
  /** Whether rows are matched by name and type, because there is no column with IDs. */
  matchesByName: boolean;
  /** Columns that are ignored because they are not component fields. */
  ignored: string[];
}

/** Derived columns: exported, but ignored on import. */
const DERIVED = new Set(['stakeholders', 'in', 'out', 'open comments', 'updated', 'created']);

/** The directory and the current owners; without them, the column is ignored. */
export interface SheetOwners {
  holders: readonly Holder[];
  model: Pick<Model, 'stakeholders'>;
}

/** `types` are the kinds of the organization, whose fields are checked. */
export function planSheetImport(
  sheet: CsvTable,
  rows: SheetRows,
  catalogue: Catalogue,
  owners: SheetOwners | null = null,
  types: readonly CustomType[] = [],
): SheetImport {
  const result: SheetImport = {
    created: [],
    updated: [],
    unchanged: 0,
    problems: [...sheet.problems],
    matchesByName: false,
    ignored: [],
  };
  const headings = columnKeys(sheet.headings, types);
  result.ignored = sheet.headings.filter(
    (_, at) => DERIVED.has(headings[at] ?? '') || (!owners && headings[at] === 'owners'),
  );
  if (!headings.includes('name') && !headings.includes('id')) {
    result.problems.push('The first row must contain the column names, including “Name” or “Id”.');
    return result;
  }
  result.matchesByName = !headings.includes('id');
  const byName = matchByName(sheet, headings, rows, catalogue);
  const seen = new Map<string, number>();
  const taken = new Set(rows.component.keys());
  const examples = examplesOf(rows);
  const isSame = compareWithExport(headings, rows, catalogue, owners?.holders ?? [], types);
  const planned: PlannedRow[] = [];
  for (const { number, cells } of sheet.lines) {
    const row = planRow({
      headings,
      cells,
      number,
      rows,
      byName,
      seen,
      taken,
      catalogue,
      examples,
      owners,
      types,
      isSame,
    });
    if (typeof row === 'string') result.problems.push(`Row ${number}: ${row}`);
    else planned.push(row);
  }
  const { parents, problems } = resolveParents(planned, rows);
  for (const row of planned) {
    const problem = problems.get(row.id);
    if (problem) result.problems.push(`Row ${row.number}: ${problem}`);
    else addRow(result, row, parents.get(row.id));
  }
  return result;
}

interface PlannedRow extends ParentRequest {
  number: number;
  fields: Fields;
  owners: readonly Holder[] | undefined;
  what: string[];
}

function addRow(result: SheetImport, row: PlannedRow, parent: string | null | undefined): void {
  const { id, name, component, fields, owners } = row;
  const what = parent === undefined ? row.what : [...row.what, 'part of'];
  if (!component) result.created.push({ id, name, fields, owners, parent });
  else if (what.length === 0) result.unchanged += 1;
  else result.updated.push({ component, fields, owners, parent, what });
}

/**
 * The operations of the import. `placements` are the positions and sizes of components that are placed in groups. The
 * server places new components, unless existing ones change their group, because both need the same room.
 */
export function sheetOperations(
  { created, updated }: SheetImport,
  model: Model,
  placements: ReadonlyMap<string, Placement> = new Map(),
): Operation[] {
  const { rows } = model;
  const positions = packedPositions(packedItems(created), importOrigin(rows));
  const parents = new Map(
    [
      ...created.map(({ id, parent }) => [id, parent] as const),
      ...updated.map(({ component, parent }) => [component.id, parent] as const),
    ].flatMap(([id, parent]) => (parent === undefined ? [] : [[id, parent] as const])),
  );
  const isRegrouped = updated.some(({ parent }) => parent !== undefined);
  return [
    ...created.map(({ id, fields }) => {
      const place = placements.get(id) ?? positions.get(id);
      return createComponentOperation(rows, id, { ...(isRegrouped && place), ...fields }, place);
    }),
    ...created.flatMap(({ id, owners = [] }) => owners.map((owner) => newStakeholder(id, owner, OWNER))),
    ...updated.flatMap(({ component, fields, owners }) => [
      ...updateOperation('component', component.id, component, {
        ...placements.get(component.id),
        ...fields,
      }),
      ...(owners ? setOwners(model, [component.id], owners) : []),
    ]),
    ...setParents(rows, parents),
  ];
}

/** New components to place. */
export function packedItems(created: SheetImport['created']): PackedItem[] {
  return created.map(({ id, parent, fields }) => ({ id, parent, size: newSize(fields.typeId) }));
}

interface RowContext {
  headings: string[];
  cells: string[];
  number: number;
  rows: SheetRows;
  byName: NameMatcher;
  owners: SheetOwners | null;
  seen: Map<string, number>;
  /** IDs in use. */
  taken: Set<string>;
  catalogue: Catalogue;
  examples: ReadonlyMap<string, unknown>;
  types: readonly CustomType[];
  isSame: SameCell;
}

/** What a row creates or changes, or an error message if it is invalid. */
function planRow(around: RowContext): PlannedRow | string {
  const { headings, cells, rows, byName, seen, taken, number } = around;
  const cell = (key: string) => cells[headings.indexOf(key)]?.trim() ?? '';
  const name = cell('name');
  const id = cell('id');
  if (!id && !name) return 'name or id is missing.';
  const found = id ? rows.component.get(id) : byName(name, cell('type'));
  if (found === null)
    return `several components are named “${truncate(name, 60)}”. Add an Id column to identify them.`;
  if (!found && !name)
    return `component “${truncate(id, 60)}” does not exist, and a new component needs a name.`;
  const fields = fieldsOf(found, around);
  if (typeof fields === 'string') return fields;
  const owners = ownersOf(found, around);
  if (typeof owners === 'string') return owners;
  const key = found?.id ?? (id || `${normalizeName(name)}\n${String(fields.typeId)}`);
  const before = seen.get(key);
  if (before !== undefined) return `is the same component as row ${before}.`;
  seen.set(key, number);
  const groupAt = headings.indexOf('part of');
  const group = changesCell(found, groupAt, around) ? cells[groupAt]?.trim() : undefined;
  if (!found) {
    const free = id || freeId(name, (candidate) => taken.has(candidate));
    taken.add(free);
    return { number, id: free, name, component: null, fields, owners, what: [], group };
  }
  const current = found as unknown as Fields;
  const what = Object.keys(fields).filter((field) => !isSameValue(current[field], fields[field]));
  const changed = owners && hasOtherOwners(found.id, owners, around.owners) ? owners : undefined;
  if (changed) what.push('owners');
  return { number, id: found.id, name, component: found, fields, owners: changed, what, group };
}

/** Whether a cell can change the component. Short rows have no cells at their end, which change nothing. */
function changesCell(found: Component | undefined, at: number, { cells, isSame }: RowContext): boolean {
  const text = cells[at];
  return text !== undefined && !(found && isSame(found.id, at, text));
}

/** The owners of a row, an error message, or undefined if the row does not change them. */
function ownersOf(found: Component | undefined, around: RowContext): readonly Holder[] | string | undefined {
  const { headings, cells, owners } = around;
  const at = headings.indexOf('owners');
  return owners && changesCell(found, at, around) ? parseOwners(cells[at] ?? '', owners.holders) : undefined;
}

function hasOtherOwners(id: string, wanted: readonly Holder[], owners: SheetOwners | null): boolean {
  const current = owners ? ownersOfComponent(owners.model, id) : [];
  return ownersKey(current) !== ownersKey(wanted);
}

/** The component fields of a row, or an error message. */
function fieldsOf(found: Component | undefined, around: RowContext): Fields | string {
  const { headings, cells, catalogue, examples, types } = around;
  const fields: Fields = found ? {} : { typeId: usualType(catalogue) };
  const properties: Fields = { ...found?.properties };
  const written = new Map<string, string>();
  for (const [at, heading] of headings.entries()) {
    const text = cells[at]?.trim() ?? '';
    if (heading === PREFIX || !changesCell(found, at, around)) continue;
    if (heading.startsWith(PREFIX) || heading === 'lifecycle') {
      const problem = setProperty(properties, heading, text, catalogue, examples, types);
      if (problem) return problem;
      written.set(heading.slice(PREFIX.length), text);
    } else {
      const changed = field(heading, text, found, catalogue);
      if (typeof changed === 'string') return changed;
      Object.assign(fields, changed);
    }
  }
  return withKind(found, fields, properties, written, around);
}

/** The fields with the properties, and with what the kind of the component implies, or an error message. */
function withKind(
  found: Component | undefined,
  fields: Fields,
  properties: Fields,
  written: ReadonlyMap<string, string>,
  { headings, cells, types, catalogue }: RowContext,
): Fields | string {
  const cell = (key: string) => cells[headings.indexOf(key)]?.trim() ?? '';
  const isKindWritten = written.has(CUSTOM_TYPE_PROPERTY);
  const ofKind = { found, properties, kind: cell(KIND_COLUMN), isKindWritten, type: cell('type') };
  const contradiction = setBaseType(fields, ofKind, types, catalogue);
  if (contradiction || written.size === 0) return contradiction ?? fields;
  const typeId = String(fields.typeId ?? found?.typeId);
  const keys = new Set(headings.slice(0, cells.length));
  return setKindFields({ found, typeId, properties, written, keys }, types) ?? { ...fields, properties };
}

function field(
  heading: string,
  text: string,
  found: Component | undefined,
  catalogue: Catalogue,
): Fields | string {
  const exists = found !== undefined;
  switch (heading) {
    case 'name':
      return text || !exists ? nameFields(text) : {};
    case 'description':
      return text || exists ? descriptionFields(text) : {};
    case 'technology':
    case 'tags':
      // An empty list may be missing from the row.
      return text || found?.[heading]?.length ? keywordFields(heading, text) : {};
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

function findType(text: string, { componentTypes }: Catalogue) {
  return componentTypes.find(
    ({ id, name }) =>
      normalizeName(id) === normalizeName(text) || normalizeName(name) === normalizeName(text),
  );
}

function typeOf(text: string, catalogue: Catalogue): Fields | string {
  const { componentTypes } = catalogue;
  const type = findType(text, catalogue);
  if (type) return { typeId: type.id };
  return `unknown type “${truncate(text, 60)}”. Types: ${componentTypes.map(({ name }) => name).join(', ')}.`;
}

function usualType({ componentTypes }: Catalogue): string {
  return (componentTypes.find(({ id }) => id === 'service') ?? componentTypes[0])?.id ?? 'service';
}

/** Finds the component of a row without an ID; null if there are several. */
type NameMatcher = (name: string, type: string) => Component | null | undefined;

/**
 * Matches components by name and type. A row with a different type changes the type of the only component with its
 * name, unless another row has the type of that component.
 */
function matchByName(
  { lines }: CsvTable,
  headings: readonly string[],
  { component }: SheetRows,
  catalogue: Catalogue,
): NameMatcher {
  const byName = Map.groupBy(component.values(), ({ name }) => normalizeName(name));
  const withType = (name: string, type: string) => {
    const typeId = findType(type, catalogue)?.id;
    return (byName.get(normalizeName(name)) ?? []).filter((one) => one.typeId === typeId);
  };
  const matched = new Set(
    lines.flatMap(({ cells }) => {
      const cell = (key: string) => cells[headings.indexOf(key)]?.trim() ?? '';
      return cell('id') ? [] : withType(cell('name'), cell('type')).map(({ id }) => id);
    }),
  );
  const single = (some: readonly Component[]) => (some.length > 1 ? null : some[0]);
  return (name, type) => {
    const exact = withType(name, type);
    if (exact.length > 0) return single(exact);
    const all = byName.get(normalizeName(name)) ?? [];
    return single(type ? all.filter(({ id }) => !matched.has(id)) : all);
  };
}
