import { describe, expect, it } from 'vitest';
import type { Bundle, Catalogue } from '@/api/generated';
import { testRows } from '@/core/scene/testing';
import type { Fields } from '@/core/sync/operation';
import { toRows } from '@/core/sync/rows';
import { updateOperation } from '../model/edits';
import { allColumns, nameFields, parseLike } from './columns';
import { componentRows } from './componentRows';
import { parseCsv, toCsv } from './csv';
import { changeRelationshipTypes, createComponentOperation, deleteOperation, renameProperty } from './edits';
import { planSheetImport, sheetOperations } from './importSheet';
import { filterRows, NO_TABLE_FILTER, sortRows } from './sortAndFilter';

const catalogue = {
  componentTypes: [
    { id: 'service', name: 'Service', color: '#000001' },
    { id: 'database', name: 'Database', color: '#000002' },
  ],
  relationTypes: [],
  lifecycleStates: [
    { id: 'idea', name: 'Idea', color: '#000003' },
    { id: 'live', name: 'Live', color: '#000004' },
  ],
  stakeholderLinkTypes: [{ id: 'owner', name: 'Owner' }],
} as unknown as Catalogue;

const component = (id: string, properties = {}, more = {}) => ({
  id,
  name: `The ${id}`,
  typeId: 'service',
  x: 0,
  y: 0,
  revision: 5,
  createdAt: 0,
  updatedAt: 0,
  properties,
  ...more,
});

const rows = toRows({
  workspace: { id: 'shop', revision: 9 },
  components: [
    component('web', { lifecycle: 'live', tier: 2 }),
    component('api', { lifecycle: 'idea' }),
    component('db', {}, { typeId: 'database', name: '=1+1' }),
  ],
  relationships: [{ id: 'r', sourceId: 'web', targetId: 'api', typeId: 'calls' }],
  stakeholders: [
    { id: 1, componentId: 'web', linkType: 'owner', person: { id: 'ada', name: 'Ada' }, team: null },
  ],
  processes: [],
  places: { components: [0, 1, 2], relationships: [0], processes: [] },
} as unknown as Bundle);
const lines = componentRows(rows, catalogue, []);
const columns = allColumns(lines, catalogue);
const column = (id: string) => columns.find((one) => one.id === id);

describe('lines', () => {
  it('count relationships and name owners', () => {
    expect(lines[0]).toMatchObject({ owners: 'Ada', stakeholders: 'Ada (Owner)', incoming: 0, outgoing: 1 });
    expect(lines.map((line) => column('updated')?.text(line))).toContain('1970-01-01T00:00:00Z');
    expect(lines[1]).toMatchObject({ owners: '', incoming: 1 });
  });

  it('are found by words in any column, and by what they lack', () => {
    expect(filterRows(lines, columns, { ...NO_TABLE_FILTER, text: 'ada the' }).map(({ id }) => id)).toEqual([
      'web',
    ]);
    expect(filterRows(lines, columns, { ...NO_TABLE_FILTER, unowned: true }).map(({ id }) => id)).toEqual([
      'api',
      'db',
    ]);
    expect(filterRows(lines, columns, { ...NO_TABLE_FILTER, lifecycle: 'none' }).map(({ id }) => id)).toEqual(
      ['db'],
    );
  });

  it('sort by text with what is empty last, and by number where there is one', () => {
    const ids = (id: string, descending: boolean) =>
      sortRows(lines, column(id), descending).map((line) => line.id);
    expect(ids('owners', true)[0]).toBe('web');
    expect(ids('owners', false)[0]).toBe('web');
    expect(ids('incoming', true)[0]).toBe('api');
    expect(ids('lifecycle', false)).toEqual(['db', 'api', 'web']);
  });
});

describe('an edit', () => {
  const web = lines[0]?.component ?? expect.fail();

  it('has only what changed, and what it was', () => {
    const fields = column('lifecycle')?.write?.(web, 'idea');
    expect(updateOperation('component', 'web', web, fields as Fields)).toEqual([
      {
        op: 'update',
        kind: 'component',
        id: 'web',
        fields: { properties: { lifecycle: 'idea', tier: 2 } },
        before: { properties: { lifecycle: 'live', tier: 2 } },
        base: 5,
      },
    ]);
    expect(updateOperation('component', 'web', web, { name: 'The web' })).toEqual([]);
  });

  it('keeps numbers numbers, and takes what is emptied away', () => {
    expect(column('property:tier')?.write?.(web, '3')).toEqual({
      properties: { lifecycle: 'live', tier: 3 },
    });
    expect(column('property:tier')?.write?.(web, '')).toEqual({ properties: { lifecycle: 'live' } });
    expect(parseLike('1', '1')).toBe('1');
    expect(parseLike('{"a":1}', {})).toEqual({ a: 1 });
  });

  it('says why a name cannot be', () => {
    expect(nameFields('  ')).toContain('Enter a name');
    expect(nameFields('x'.repeat(201))).toContain('201');
    expect(nameFields(' Web ')).toEqual({ name: 'Web' });
  });

  it('puts what is new under what is there', () => {
    expect(createComponentOperation(rows, 'new', { name: 'New' }).op).toBe('create');
    expect(deleteOperation('component', web)).toMatchObject({ op: 'delete', base: 5 });
  });
});

describe('a property that gets another name', () => {
  it('keeps its value and its place, wherever it is', () => {
    const { operations, inTheWay } = renameProperty(rows, 'lifecycle', 'state');
    expect(inTheWay).toEqual([]);
    expect(operations.map((one) => 'fields' in one && one.fields.properties)).toEqual([
      { state: 'live', tier: 2 },
      { state: 'idea' },
    ]);
    expect(Object.keys((operations[0] as { fields: Fields }).fields.properties as Fields)).toEqual([
      'state',
      'tier',
    ]);
  });

  it('is left alone where there is one of that name, and where nothing would change', () => {
    const { operations, inTheWay } = renameProperty(rows, 'tier', 'lifecycle');
    expect(operations).toEqual([]);
    expect(inTheWay.map(({ id }) => id)).toEqual(['web']);
    expect(renameProperty(rows, 'tier', 'tier')).toEqual({ operations: [], inTheWay: [] });
  });
});

describe('relationships that get another type', () => {
  const lines = testRows(
    ['a', 'b', 'c'].map((id) => [id, 0, 0] as const),
    [
      ['a', 'calls', 'b'],
      ['c', 'uses', 'b'],
      ['b', 'calls', 'a'],
      ['c', 'calls', 'c'],
    ],
  );
  const ids = [...lines.relationship.keys()];

  it('are written unless they have it', () => {
    const { operations, refused } = changeRelationshipTypes(lines, ids, 'calls');
    expect(operations).toMatchObject([{ id: 'r1', fields: { typeId: 'calls' }, before: { typeId: 'uses' } }]);
    expect(refused).toBe(0);
  });

  it('make nothing a part of two, or of itself, by each other either', () => {
    const { operations, refused } = changeRelationshipTypes(lines, ids, 'contains');
    expect(operations).toMatchObject([{ id: 'r0' }]);
    expect(refused).toBe(3);
  });
});

describe('CSV', () => {
  const csv = toCsv(columns, lines);

  it('does not let a spreadsheet run what is in it', () => {
    expect(csv).toContain("'=1+1");
  });

  it('comes back as what it was', () => {
    const result = planSheetImport(parseCsv(csv), rows, catalogue);
    expect(result).toMatchObject({ created: [], updated: [], unchanged: 3, problems: [] });
    expect(result.ignored).toEqual(['Owners', 'Stakeholders', 'In', 'Out', 'Updated', 'Created']);
  });

  it('is read from what a spreadsheet puts on the clipboard', () => {
    const result = planSheetImport(parseCsv('Name\tTier\nThe web\t7\nNew one\t1\n'), rows, catalogue);
    expect(result.updated.map(({ fields }) => fields)).toEqual([
      { name: 'The web', properties: { lifecycle: 'live', tier: 2, Tier: '7' } },
    ]);
    expect(result.created).toMatchObject([
      { id: 'new-one', fields: { typeId: 'service', properties: { Tier: '1' } } },
    ]);
    expect(sheetOperations(result, rows).map(({ op }) => op)).toEqual(['create', 'update']);
  });

  it('says which lines cannot be used', () => {
    const text =
      'id,name,type,x\nweb,The web,Castle,\n,,,\nnew,,service,\nweb,Again,service,1\nweb,Twice,service,1\n,N,service,far\n';
    expect(planSheetImport(parseCsv(text), rows, catalogue).problems).toEqual([
      expect.stringContaining('Row 2: unknown type “Castle”'),
      expect.stringContaining('Row 4: component “new” does not exist, and a new component needs a name'),
      expect.stringContaining('Row 6: is the same component as row 5'),
      expect.stringContaining('Row 7: x must be a number'),
    ]);
    expect(planSheetImport(parseCsv('a,b\n1,2\n'), rows, catalogue).problems[0]).toContain(
      'must contain the column names',
    );
  });
});
