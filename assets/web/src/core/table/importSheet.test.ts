/** Matching of rows, technology, tags and owners in CSV files. */
import { describe, expect, it } from 'vitest';
import type { Holder } from '../model/model';
import { catalogue, sample, shop } from '../model/testing';
import { allColumns } from './columns';
import { componentRows } from './componentRows';
import { parseCsv, toCsv } from './csv';
import { planSheetImport, sheetOperations } from './importSheet';

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
      ['b', 'database'],
      ['a', 'service'],
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
