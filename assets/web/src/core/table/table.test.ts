import { describe, expect, it } from 'vitest';
import type { Bundle, Catalogue, ComponentKind } from '@/api/generated';
import { allTypes } from '@/core/model/customTypes';
import { testRows } from '@/core/scene/testing';
import type { Fields } from '@/core/sync/operation';
import { toRows } from '@/core/sync/rows';
import { updateOperation } from '../model/edits';
import { shop } from '../model/testing';
import { allColumns, nameFields, parseLike } from './columns';
import { type ComponentRow, componentRows } from './componentRows';
import { parseCsv, toCsv } from './csv';
import {
  changeRelationshipTypes,
  createComponentOperation,
  deleteOperation,
  importOrigin,
  renameProperty,
} from './edits';
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
const column = (id: string) => columns.find((column) => column.id === id);

describe('table rows', () => {
  it('count relationships and name owners', () => {
    expect(lines[0]).toMatchObject({ owners: 'Ada', stakeholders: 'Ada (Owner)', incoming: 0, outgoing: 1 });
    expect(lines.map((line) => column('updated')?.text(line))).toContain('1970-01-01T00:00:00Z');
    expect(lines[1]).toMatchObject({ owners: '', incoming: 1 });
  });

  it('are filtered by words in any column and by missing values', () => {
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

  it('are sorted by text or number, with empty values last', () => {
    const ids = (id: string, descending: boolean) =>
      sortRows(lines, column(id), descending).map((line) => line.id);
    expect(ids('owners', true)[0]).toBe('web');
    expect(ids('owners', false)[0]).toBe('web');
    expect(ids('incoming', true)[0]).toBe('api');
    expect(ids('lifecycle', false)).toEqual(['db', 'api', 'web']);
  });
});

describe('kinds of the organization', () => {
  const fields = [
    { key: 'tier', name: 'Service tier', type: 'choice', choices: ['gold', 'silver'] },
    { key: 'replicas', name: 'Replicas', type: 'number' },
  ];
  const kind = {
    id: 'shop',
    name: 'Web shop',
    baseType: 'web-app',
    color: '#112233',
    icon: 'server',
    fields,
  };
  const types = allTypes([kind as unknown as ComponentKind], []);
  const [first, ...others] = lines as [ComponentRow, ...ComponentRow[]];
  const { component } = first;
  const shop = { ...first, component: { ...component, properties: { kind: 'shop', replicas: 3 } } };
  const all = allColumns([shop, ...others], catalogue, types);
  const find = (id: string) => all.find((column) => column.id === id);

  it('have a column after the type, which sets the base type', () => {
    expect(all.slice(0, 3).map(({ name }) => name)).toEqual(['Name', 'Type', 'Kind']);
    const column = find('property:kind');
    expect(column?.text(shop)).toBe('Web shop');
    expect(column?.write?.(component, 'shop')).toMatchObject({
      typeId: 'web-app',
      properties: { kind: 'shop' },
    });
    expect(column?.write?.(shop.component, '')).toEqual({ properties: { replicas: 3 } });
    expect(filterRows([shop, ...others], all, { ...NO_TABLE_FILTER, typeId: 'kind:shop' }, types)).toEqual([
      shop,
    ]);
    expect(allColumns(lines, catalogue, []).some(({ name }) => name === 'Kind')).toBe(false);
  });

  it('have columns for the fields of kinds in use, with checked values', () => {
    const replicas = find('property:replicas');
    expect(replicas?.name).toBe('Replicas');
    expect(replicas?.write?.(component, 'many')).toMatch(/number/);
    expect(replicas?.write?.(shop.component, '5')).toEqual({ properties: { kind: 'shop', replicas: 5 } });
    expect(find('property:tier')?.choices?.map(({ id }) => id)).toEqual(['', 'gold', 'silver']);
    expect(allColumns(others, catalogue, types).some(({ name }) => name === 'Replicas')).toBe(false);
  });

  it('are exported as properties, so that an import changes nothing', () => {
    const columns = all.filter(({ id }) => ['name', 'property:kind', 'property:replicas'].includes(id));
    expect(toCsv(columns, [shop]).split('\r\n').slice(0, 2)).toEqual([
      'Name,kind,replicas',
      'The web,shop,3',
    ]);
  });
});

describe('a table edit', () => {
  const web = lines[0]?.component ?? expect.fail();

  it('contains only changed fields and their previous values', () => {
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

  it('preserves the type of values, and removes empty values', () => {
    expect(column('property:tier')?.write?.(web, '3')).toEqual({
      properties: { lifecycle: 'live', tier: 3 },
    });
    expect(column('property:tier')?.write?.(web, '')).toEqual({ properties: { lifecycle: 'live' } });
    expect(parseLike('1', '1')).toBe('1');
    expect(parseLike('{"a":1}', {})).toEqual({ a: 1 });
  });

  it('explains why a name is invalid', () => {
    expect(nameFields('  ')).toContain('Enter a name');
    expect(nameFields('x'.repeat(201))).toContain('201');
    expect(nameFields(' Web ')).toEqual({ name: 'Web' });
  });

  it('leaves the position of new components to the server, and shows them below existing ones', () => {
    const { x, y } = importOrigin(rows);
    const create = { op: 'create', kind: 'component', id: 'new' };
    expect(createComponentOperation(rows, 'new', { name: 'New' })).toEqual({
      ...create,
      fields: { name: 'New' },
      place: { x, y },
    });
    expect(createComponentOperation(rows, 'new', { name: 'New', x: 5, y: 7 })).toEqual({
      ...create,
      fields: { name: 'New', x: 5, y: 7 },
    });
    // The server accepts both coordinates or neither.
    expect(createComponentOperation(rows, 'new', { name: 'New', x: 5 })).toEqual({
      ...create,
      fields: { name: 'New', x: 5, y },
    });
  });

  it('deletes components with their revision', () => {
    expect(deleteOperation('component', web)).toMatchObject({ op: 'delete', base: 5 });
  });
});

describe('a renamed property', () => {
  it('keeps its value and position on each component', () => {
    const { operations, conflicting } = renameProperty(rows, 'lifecycle', 'state');
    expect(conflicting).toEqual([]);
    expect(operations.map((operation) => 'fields' in operation && operation.fields.properties)).toEqual([
      { state: 'live', tier: 2 },
      { state: 'idea' },
    ]);
    expect(Object.keys((operations[0] as { fields: Fields }).fields.properties as Fields)).toEqual([
      'state',
      'tier',
    ]);
  });

  it('is unchanged if the new name is equal or in use', () => {
    const { operations, conflicting } = renameProperty(rows, 'tier', 'lifecycle');
    expect(operations).toEqual([]);
    expect(conflicting.map(({ id }) => id)).toEqual(['web']);
    expect(renameProperty(rows, 'tier', 'tier')).toEqual({ operations: [], conflicting: [] });
  });
});

describe('changing the type of relationships', () => {
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

  it('skips relationships that already have it', () => {
    const { operations, refused } = changeRelationshipTypes(lines, ids, 'calls');
    expect(operations).toMatchObject([{ id: 'r1', fields: { typeId: 'calls' }, before: { typeId: 'uses' } }]);
    expect(refused).toBe(0);
  });

  it('rejects second parents and containment cycles, including those within the change', () => {
    const { operations, refused } = changeRelationshipTypes(lines, ids, 'contains');
    expect(operations).toMatchObject([{ id: 'r0' }]);
    expect(refused).toBe(3);
  });
});

describe('CSV', () => {
  const csv = toCsv(columns, lines);

  it('contains no formulas', () => {
    expect(csv).toContain("'=1+1");
  });

  it('can be parsed again', () => {
    const result = planSheetImport(parseCsv(csv), rows, catalogue);
    expect(result).toMatchObject({ created: [], updated: [], unchanged: 3, problems: [] });
    expect(result.ignored).toEqual([
      'Owners',
      'Stakeholders',
      'In',
      'Out',
      'Open comments',
      'Updated',
      'Created',
    ]);
  });

  it('is parsed from spreadsheet content on the clipboard', () => {
    const result = planSheetImport(parseCsv('Name\tTier\nThe web\t7\nNew one\t1\n'), rows, catalogue);
    expect(result.updated.map(({ fields }) => fields)).toEqual([
      { properties: { lifecycle: 'live', tier: 2, Tier: '7' } },
    ]);
    expect(result.created).toMatchObject([
      { id: 'new-one', fields: { typeId: 'service', properties: { Tier: '1' } } },
    ]);
    expect(sheetOperations(result, { ...shop, rows }).map(({ op }) => op)).toEqual(['create', 'update']);
  });

  it('reports invalid rows', () => {
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
