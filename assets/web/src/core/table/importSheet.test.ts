/** Matching of rows, technology, tags and owners in CSV files. */
import { describe, expect, it } from 'vitest';
import type { Catalogue } from '@/api/generated';
import { buildContainment } from '../containment/containment';
import { buildModel, type Holder } from '../model/model';
import { sample, shop, catalogue as smallCatalogue } from '../model/testing';
import { applyOperation } from '../sync/operation';
import { allColumns } from './columns';
import { componentRows } from './componentRows';
import { parseCsv, toCsv } from './csv';
import { packedPositions } from './importPositions';
import { packedItems, planSheetImport, sheetOperations } from './importSheet';

const catalogue = {
  ...smallCatalogue,
  componentTypes: [
    ...smallCatalogue.componentTypes,
    { id: 'group', name: 'Group', color: '#64748B', icon: 'box', iconName: 'box' },
  ],
} as Catalogue;

describe('a CSV file', () => {
  it('contains technology and tags, which can be changed', () => {
    const keywords = sample({ components: [{ id: 'web', technology: ['Go', 'gRPC'], tags: ['pci'] }] });
    const table = componentRows(keywords, catalogue, []);
    const exported = toCsv(allColumns(table, catalogue), table);
    expect(exported).toContain('"Go, gRPC",pci');
    expect(planSheetImport(parseCsv(exported), keywords, catalogue)).toMatchObject({ unchanged: 1 });
    const changed = planSheetImport(
      parseCsv('Id,Technology,Tags\nweb,"Go, Rust",\nnew,Go,\n'),
      keywords,
      catalogue,
    );
    expect(changed.updated.map(({ fields }) => fields)).toEqual([{ technology: ['Go', 'Rust'], tags: [] }]);
  });

  it('without IDs is matched by name and type', () => {
    const twins = sample({
      components: [
        { id: 'a', name: 'Orders' },
        { id: 'b', name: 'Orders', typeId: 'database' },
        { id: 'c', name: 'Queue' },
      ],
    });
    const result = planSheetImport(
      parseCsv('Name,Type,Tier\nOrders,Database,1\nOrders,Service,2\nQueue,Database,3\n'),
      twins,
      catalogue,
    );
    expect(result).toMatchObject({ matchesByName: true, created: [], problems: [] });
    expect(result.updated.map(({ component, fields }) => [component.id, fields.typeId])).toEqual([
      ['b', undefined],
      ['a', undefined],
      ['c', 'database'],
    ]);
    const added = planSheetImport(
      parseCsv('Name,Type\nQueue,Service\nQueue,Database\nOrders,\n'),
      twins,
      catalogue,
    );
    expect(added).toMatchObject({
      unchanged: 1,
      created: [{ name: 'Queue', fields: { typeId: 'database' } }],
    });
    expect(added.problems).toEqual([expect.stringContaining('several components are named “Orders”')]);
  });

  describe('with owners', () => {
    const holders: Holder[] = [
      { kind: 'person', id: 'ada', name: 'Name of ada' },
      { kind: 'team', id: 'core', name: 'Name of core' },
      { kind: 'team', id: 'comma', name: 'Search, Ads' },
      { kind: 'person', id: 'kim-1', name: 'Kim' },
      { kind: 'person', id: 'kim-2', name: 'Kim' },
    ];
    const owners = { holders, model: shop };
    const plan = (text: string) => planSheetImport(parseCsv(text), shop.rows, catalogue, owners);

    it('is unchanged after an export', () => {
      const table = componentRows(shop.rows, catalogue, []);
      expect(plan(toCsv(allColumns(table, catalogue), table))).toMatchObject({
        created: [],
        updated: [],
        problems: [],
        unchanged: 3,
      });
    });

    it('changes, adds and removes owners', () => {
      const result = plan('Id,Name,Owners\nweb,,"Name of core, Search, Ads"\npay,,\nnew,New,name of ADA\n');
      expect(result.problems).toEqual([]);
      expect(result.updated.map(({ what }) => what)).toEqual([['owners'], ['owners']]);
      const operations = sheetOperations(result, shop).filter(({ op }) => op !== 'move');
      expect(
        operations.map((operation) => [operation.op, 'kind' in operation ? operation.kind : '']),
      ).toEqual([
        ['create', 'component'],
        ['create', 'stakeholder'],
        ['delete', 'stakeholder'],
        ['create', 'stakeholder'],
        ['create', 'stakeholder'],
        ['delete', 'stakeholder'],
      ]);
    });

    it('reports unknown and ambiguous names', () => {
      expect(plan('Id,Owners\nweb,Nobody\npay,Kim\n').problems).toEqual([
        expect.stringContaining('Row 2: unknown owner “Nobody”'),
        expect.stringContaining('Row 3: several people or teams are named “Kim”'),
      ]);
    });
  });
});

describe('the column “Part of” of a CSV file', () => {
  const rows = sample({
    components: [
      { id: 'shop', name: 'Shop', typeId: 'group' },
      { id: 'data', name: 'Data', typeId: 'group' },
      { id: 'twin-1', name: 'Twin' },
      { id: 'twin-2', name: 'Twin' },
      { id: 'web', name: 'Web' },
      { id: 'db', name: 'Ledger' },
    ],
    relationships: [
      ['shop', 'contains', 'web'],
      ['twin-1', 'contains', 'data'],
      ['data', 'contains', 'db'],
    ],
  });
  const model = buildModel(rows, catalogue);
  const plan = (text: string) => planSheetImport(parseCsv(text), rows, catalogue);
  /** The groups after the import. */
  const groupsAfter = (text: string) => {
    const result = plan(text);
    expect(result.problems).toEqual([]);
    const after = sheetOperations(result, model).reduce(
      (all, operation) => applyOperation(all, operation),
      rows,
    );
    return Object.fromEntries(buildContainment(after.relationship.values(), after.component).parent);
  };

  it('is unchanged after an export, even if several groups have the same name', () => {
    const table = componentRows(rows, catalogue, []);
    expect(plan(toCsv(allColumns(table, catalogue), table))).toMatchObject({
      created: [],
      updated: [],
      problems: [],
      unchanged: 6,
      ignored: ['Owners', 'Stakeholders', 'In', 'Out', 'Open comments', 'Updated', 'Created'],
    });
  });

  it('moves components between groups, and out of them', () => {
    expect(plan('Id,Part of\nweb,data\ndb,\n').updated.map(({ what }) => what)).toEqual([
      ['part of'],
      ['part of'],
    ]);
    expect(groupsAfter('Id,Part of\nweb,DATA\ndb,\n')).toEqual({ web: 'data', data: 'twin-1' });
    expect(groupsAfter('Id,Name\nweb,Web\n')).toEqual({ web: 'shop', data: 'twin-1', db: 'data' });
  });

  it('accepts groups that the file adds or renames, in any order', () => {
    const text =
      'Id,Name,Type,Part of\n,Search,Service,Backend\n,Backend,Group,Till\nshop,Till,,\nweb,,,Shop\n';
    expect(groupsAfter(text)).toMatchObject({ search: 'backend', backend: 'shop', web: 'shop' });
  });

  it('exchanges a group with its part', () => {
    expect(groupsAfter('Id,Part of\ndata,db\ndb,twin-1\n')).toMatchObject({ data: 'db', db: 'twin-1' });
  });

  it('reports unknown and ambiguous groups, cycles, and rows whose group is invalid', () => {
    const result = plan(
      'Id,Name,Part of\nweb,Web,Nowhere\ndb,Ledger,Twin\ndata,Data,db\nnew,New,Nowhere\npart,Part,New\nfree,Free,Shop\n',
    );
    expect(result.problems).toEqual([
      'Row 2: unknown group “Nowhere”. “Part of” must be the id or name of a component.',
      'Row 3: several components are named “Twin”. Write the id of the group in “Part of”.',
      'Row 4: a component cannot contain itself.',
      'Row 5: unknown group “Nowhere”. “Part of” must be the id or name of a component.',
      'Row 6: unknown group “New”. “Part of” must be the id or name of a component.',
    ]);
    expect(result.created.map(({ id, parent }) => [id, parent])).toEqual([['free', 'shop']]);
    expect(result).toMatchObject({ updated: [], unchanged: 0 });
  });

  it('places the parts of new groups inside them, and apart from others', () => {
    const { created } = plan('Name,Type,Part of\nG,Group,\nA,Service,G\nB,Service,G\nC,Service,\n');
    const positions = packedPositions(packedItems(created), { x: 0, y: 0 });
    const at = (id: string) => positions.get(id) as { x: number; y: number };
    expect([at('g'), at('a'), at('b')]).toEqual([
      { x: 0, y: 0 },
      { x: 20, y: 60 },
      { x: 240, y: 60 },
    ]);
    expect(at('c').x).toBe(480);
  });

  it('leaves the positions of new components to the server, unless others change their group', () => {
    const created = (csv: string) =>
      sheetOperations(plan(csv), model).flatMap((operation) =>
        operation.op === 'create' && operation.kind === 'component' ? [operation] : [],
      );
    const [part] = created('Name,Part of\nNew,Shop\n');
    expect(part?.place).toEqual({ x: expect.any(Number), y: expect.any(Number) });
    expect(part?.fields).not.toHaveProperty('x');
    const [beside] = created('Id,Name,Part of\n,New,Shop\ndb,,web\n');
    expect(beside?.fields).toMatchObject({ x: expect.any(Number), y: expect.any(Number) });
  });
});
