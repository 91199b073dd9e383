/** A CSV file that is exported and imported again changes nothing. */
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { buildModel, type Holder, holderOf } from '../model/model';
import { catalogue, sample } from '../model/testing';
import { componentRows } from './componentRows';
import { formatCsv, parseCsv } from './csv';
import { planSheetImport, type SheetOwners, sheetOperations } from './importSheet';
import { sheetOf } from './sheetColumns';

const holders: Holder[] = [
  { kind: 'person', id: 'ada', name: 'Name of ada' },
  { kind: 'team', id: 'core', name: 'Name of core' },
  { kind: 'person', id: 'kim-1', name: 'Name of kim' },
  { kind: 'team', id: 'kim', name: 'Name of kim' },
  { kind: 'team', id: 'search, ads', name: 'Name of search, ads' },
];

const NAMES = [
  '"quoted" \'text\'',
  '=1+1',
  '@SUM(A1)',
  '-2+3',
  "'-2",
  'a,b;c\td\ne\r\nf',
  '漢字 かな 🗺️',
  '\u202eright to left',
  '\u0000\u0007',
  'x'.repeat(10_000),
];

const rows = sample({
  components: [
    { id: 'group', typeId: 'service', name: 'Same name' },
    { id: 'twin', typeId: 'service', name: 'Same name' },
    {
      id: 'web',
      name: '  =HYPERLINK("x"), "quoted"  ',
      description: '\n- first\r\n- second\r= third  ',
      technology: ['Go, TinyGo', '@angular', '-'],
      tags: ["'=1", 'a;b'],
      properties: {
        lifecycle: 'an old state',
        Name: 'a property with the name of a column',
        'property:x': 1,
        ' tier': 2,
        tier: '2',
        count: -3,
        none: null,
        empty: '',
        yes: true,
        list: [1, 'two', { three: null }],
        formula: "'=SUM(A1)",
        '=heading': '\t=1',
      },
    },
    { id: 'pay', typeId: 'a removed type', properties: { tier: 7, count: '3', lifecycle: 'live' } },
    ...NAMES.map((name, at) => ({ id: `n${at}`, name, description: name, tags: [name] })),
  ],
  relationships: [
    ['group', 'contains', 'web'],
    ['twin', 'contains', 'pay'],
  ],
  stakeholders: [
    { componentId: 'web', teamId: 'kim', linkType: 'owner' },
    { componentId: 'web', personId: 'ada', linkType: 'owner' },
    { componentId: 'web', teamId: 'core', linkType: 'contact' },
    { componentId: 'pay', teamId: 'search, ads', linkType: 'owner' },
  ],
});
const owners: SheetOwners = { holders, model: buildModel(rows, catalogue) };
const exported = sheetOf(rows, catalogue, [], holders);
const plan = (text: string) => planSheetImport(parseCsv(text), rows, catalogue, owners);

/** The exported file with one cell changed. */
function withCell(id: string, heading: string, text: string): string {
  const { headings, lines } = parseCsv(exported);
  const line = lines.find(({ cells }) => cells[headings.indexOf('Id')] === id) ?? expect.fail();
  expect(headings).toContain(heading);
  line.cells[headings.indexOf(heading)] = text;
  return formatCsv(
    headings,
    lines.map(({ cells }) => cells),
  );
}

describe('an exported CSV file', () => {
  it('contains all fields, and no cell that a spreadsheet evaluates', () => {
    const { headings } = parseCsv(exported);
    expect(headings).toEqual(
      expect.arrayContaining([
        ...['Id', 'Name', 'Type', 'Lifecycle', 'Part of', 'Description', 'Technology', 'Tags', 'Owners'],
        ...['tier', 'property:Name', 'property:property:x', 'list'],
      ]),
    );
    const cells = Papa.parse<string[]>(exported).data.flat();
    expect(cells.length).toBeGreaterThan(rows.component.size * headings.length);
    for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  });

  it('changes nothing when it is imported', () => {
    expect(plan(exported)).toMatchObject({
      problems: [],
      created: [],
      updated: [],
      unchanged: rows.component.size,
    });
  });

  it('changes nothing after a spreadsheet has changed its line breaks', () => {
    const saved = exported.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    expect(plan(`\ufeff${saved}`)).toMatchObject({ problems: [], updated: [], created: [] });
  });

  it('changes only the cells that are edited', () => {
    const changes: [string, string, string, object][] = [
      ['web', 'Name', 'Web', { name: 'Web' }],
      ['web', 'Tags', 'new', { tags: ['new'] }],
      ['pay', 'Type', 'Database', { typeId: 'database' }],
      ['pay', 'tier', '8', { properties: { tier: 8, count: '3', lifecycle: 'live' } }],
      ['pay', 'Description', '=1+1', { description: '=1+1' }],
    ];
    for (const [id, heading, text, fields] of changes) {
      const { updated, problems, created } = plan(withCell(id, heading, text));
      expect({ problems, created }).toEqual({ problems: [], created: [] });
      expect(updated.map((row) => [row.component.id, row.fields, row.owners, row.parent])).toEqual([
        [id, fields, undefined, undefined],
      ]);
    }
    const { properties } = rows.component.get('web') ?? expect.fail();
    expect(plan(withCell('web', 'property:property:x', '4')).updated[0]?.fields).toEqual({
      properties: { ...properties, 'property:x': 4 },
    });
    expect(plan(withCell('pay', 'Owners', '')).updated[0]).toMatchObject({ fields: {}, owners: [] });
    expect(plan(withCell('web', 'Part of', '')).updated[0]).toMatchObject({ fields: {}, parent: null });
  });

  it('refers to owners with the same name by ID', () => {
    const line = componentRows(rows, catalogue, []).find(({ id }) => id === 'web');
    expect(line?.owners).toBe('Name of kim, Name of ada');
    expect(exported).toContain('"team:kim, person:ada"');
    const { updated } = plan(withCell('web', 'Owners', 'person:kim-1'));
    expect(updated[0]?.owners?.map(({ id }) => id)).toEqual(['kim-1']);
    expect(plan(withCell('pay', 'Owners', 'Name of kim')).problems[0]).toContain(
      'Write “person:kim-1” or “team:kim”.',
    );
  });

  it('adds rows without an ID, and rows with a new ID', () => {
    const { headings } = parseCsv(exported);
    const cells = (values: Record<string, string>) => headings.map((heading) => values[heading] ?? '');
    const added = formatCsv(headings, [
      cells({ Name: 'New', Owners: 'Name of core', tier: '1' }),
      cells({ Id: 'own-id', Name: 'Other' }),
    ]);
    const result = plan(exported + added.slice(added.indexOf('\r\n') + 2));
    expect(result).toMatchObject({ problems: [], updated: [] });
    expect(result.created.map(({ id, name }) => [id, name])).toEqual([
      ['new', 'New'],
      ['own-id', 'Other'],
    ]);
    expect(sheetOperations(result, buildModel(rows, catalogue)).map(({ op }) => op)).toEqual([
      'create',
      'create',
      'create',
    ]);
  });

  it('has the names of owners if the directory is unknown', () => {
    const owned = [...rows.stakeholder.values()].filter(({ linkType }) => linkType === 'owner').map(holderOf);
    expect(owned).toHaveLength(3);
    const named = sheetOf(rows, catalogue, [], []);
    expect(named).toContain('"Name of kim, Name of ada"');
    expect(plan(named)).toMatchObject({ problems: [], updated: [] });
  });
});
