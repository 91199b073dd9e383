import { describe, expect, it } from 'vitest';
import type { Bundle, Catalogue } from '@/api/generated';
import { mapOfRows } from '@/core/scene/testing';
import type { Fields } from '@/core/sync/operation';
import { rowsOf } from '@/core/sync/rows';
import { updateOf } from '../model/edits';
import { allColumns, typed, writtenName } from './columns';
import { csvOf, readCsv } from './csv';
import { creation, removal, renaming, retyping } from './edits';
import { linesOf } from './lines';
import { operationsOf, planOf } from './sheet';
import { filtered, NO_FILTER, sorted } from './view';

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

const rows = rowsOf({
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
const lines = linesOf(rows, catalogue, []);
const columns = allColumns(lines, catalogue);
const column = (id: string) => columns.find((one) => one.id === id);

describe('lines', () => {
  it('count relationships and name owners', () => {
    expect(lines[0]).toMatchObject({ owners: 'Ada', stakeholders: 'Ada (Owner)', incoming: 0, outgoing: 1 });
    expect(lines.map((line) => column('updated')?.text(line))).toContain('1970-01-01T00:00:00Z');
    expect(lines[1]).toMatchObject({ owners: '', incoming: 1 });
  });

  it('are found by words in any column, and by what they lack', () => {
    expect(filtered(lines, columns, { ...NO_FILTER, text: 'ada the' }).map(({ id }) => id)).toEqual(['web']);
    expect(filtered(lines, columns, { ...NO_FILTER, unowned: true }).map(({ id }) => id)).toEqual([
      'api',
      'db',
    ]);
    expect(filtered(lines, columns, { ...NO_FILTER, lifecycle: 'none' }).map(({ id }) => id)).toEqual(['db']);
  });

  it('sort by text with what is empty last, and by number where there is one', () => {
    const ids = (id: string, descending: boolean) =>
      sorted(lines, column(id), descending).map((line) => line.id);
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
    expect(updateOf('component', 'web', web, fields as Fields)).toEqual([
      {
        op: 'update',
        kind: 'component',
        id: 'web',
        fields: { properties: { lifecycle: 'idea', tier: 2 } },
        before: { properties: { lifecycle: 'live', tier: 2 } },
        base: 5,
      },
    ]);
    expect(updateOf('component', 'web', web, { name: 'The web' })).toEqual([]);
  });

  it('keeps numbers numbers, and takes what is emptied away', () => {
    expect(column('property:tier')?.write?.(web, '3')).toEqual({
      properties: { lifecycle: 'live', tier: 3 },
    });
    expect(column('property:tier')?.write?.(web, '')).toEqual({ properties: { lifecycle: 'live' } });
    expect(typed('1', '1')).toBe('1');
    expect(typed('{"a":1}', {})).toEqual({ a: 1 });
  });

  it('says why a name cannot be', () => {
    expect(writtenName('  ')).toContain('Enter a name');
    expect(writtenName('x'.repeat(201))).toContain('201');
    expect(writtenName(' Web ')).toEqual({ name: 'Web' });
  });

  it('puts what is new under what is there', () => {
    expect(creation(rows, 'new', { name: 'New' }).op).toBe('create');
    expect(removal('component', web)).toMatchObject({ op: 'delete', base: 5 });
  });
});

describe('a property that gets another name', () => {
  it('keeps its value and its place, wherever it is', () => {
    const { operations, inTheWay } = renaming(rows, 'lifecycle', 'state');
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
    const { operations, inTheWay } = renaming(rows, 'tier', 'lifecycle');
    expect(operations).toEqual([]);
    expect(inTheWay.map(({ id }) => id)).toEqual(['web']);
    expect(renaming(rows, 'tier', 'tier')).toEqual({ operations: [], inTheWay: [] });
  });
});

describe('relationships that get another type', () => {
  const lines = mapOfRows(
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
    const { operations, refused } = retyping(lines, ids, 'calls');
    expect(operations).toMatchObject([{ id: 'r1', fields: { typeId: 'calls' }, before: { typeId: 'uses' } }]);
    expect(refused).toBe(0);
  });

  it('make nothing a part of two, or of itself, by each other either', () => {
    const { operations, refused } = retyping(lines, ids, 'contains');
    expect(operations).toMatchObject([{ id: 'r0' }]);
    expect(refused).toBe(3);
  });
});

describe('CSV', () => {
  const csv = csvOf(columns, lines);

  it('does not let a spreadsheet run what is in it', () => {
    expect(csv).toContain("'=1+1");
  });

  it('comes back as what it was', () => {
    const plan = planOf(readCsv(csv), rows, catalogue);
    expect(plan).toMatchObject({ created: [], updated: [], unchanged: 3, problems: [] });
    expect(plan.ignored).toEqual(['Owners', 'Stakeholders', 'In', 'Out', 'Updated', 'Created']);
  });

  it('is read from what a spreadsheet puts on the clipboard', () => {
    const plan = planOf(readCsv('Name\tTier\nThe web\t7\nNew one\t1\n'), rows, catalogue);
    expect(plan.updated.map(({ fields }) => fields)).toEqual([
      { name: 'The web', properties: { lifecycle: 'live', tier: 2, Tier: '7' } },
    ]);
    expect(plan.created).toMatchObject([
      { id: 'new-one', fields: { typeId: 'service', properties: { Tier: '1' } } },
    ]);
    expect(operationsOf(plan, rows).map(({ op }) => op)).toEqual(['create', 'update']);
  });

  it('says which lines cannot be used', () => {
    const text =
      'id,name,type,x\nweb,The web,Castle,\n,,,\nnew,,service,\nweb,Again,service,1\nweb,Twice,service,1\n,N,service,far\n';
    expect(planOf(readCsv(text), rows, catalogue).problems).toEqual([
      expect.stringContaining('Row 2: unknown type “Castle”'),
      expect.stringContaining('Row 4: component “new” does not exist, and a new component needs a name'),
      expect.stringContaining('Row 6: is the same component as row 5'),
      expect.stringContaining('Row 7: x must be a number'),
    ]);
    expect(planOf(readCsv('a,b\n1,2\n'), rows, catalogue).problems[0]).toContain(
      'must contain the column names',
    );
  });
});
