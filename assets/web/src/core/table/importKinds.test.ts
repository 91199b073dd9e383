/** Exports and imports of components with kinds of the organization. */
import { describe, expect, it } from 'vitest';
import type { ComponentKind } from '@/api/generated';
import { allTypes } from '../model/customTypes';
import { catalogue, sample } from '../model/testing';
import { parseCsv } from './csv';
import { planSheetImport } from './importSheet';
import { sheetOf } from './sheetColumns';

const shop = {
  id: 'shop',
  name: 'Shop',
  baseType: 'service',
  formerNames: [],
  fields: [
    { key: 'replicas', name: 'Replicas', type: 'number' },
    { key: 'public', name: 'Public', type: 'boolean' },
    { key: 'cost-center', name: 'Cost center', type: 'text' },
  ],
};
const types = allTypes([shop as unknown as ComponentKind], []);
const rows = sample({
  components: [
    { id: 'web', typeId: 'service', properties: { kind: 'shop' } },
    { id: 'db', typeId: 'database' },
  ],
});
const exported = sheetOf(rows, catalogue, [], [], types);
const plan = (text: string) => planSheetImport(parseCsv(text), rows, catalogue, null, types);

describe('a CSV file of components with a kind', () => {
  it('has columns for the fields of the kind, even if no component has a value', () => {
    const { headings } = parseCsv(exported);
    for (const heading of ['kind', 'replicas', 'public', 'cost-center']) expect(headings).toContain(heading);
  });

  it('changes nothing when it is imported again', () => {
    expect(plan(exported)).toMatchObject({ created: [], updated: [], unchanged: 2, problems: [] });
  });

  it('is imported with values of the types of the fields', () => {
    const { created, updated, problems } = plan(
      'Id,Name,kind,replicas,public,cost-center\nweb,,shop,3,yes,42\nnew,New,shop,2,no,7\n',
    );
    expect(problems).toEqual([]);
    expect(updated[0]?.fields.properties).toEqual({
      kind: 'shop',
      replicas: 3,
      public: true,
      'cost-center': '42',
    });
    expect(created[0]?.fields.properties).toMatchObject({ replicas: 2, public: false, 'cost-center': '7' });
  });

  it('is not imported with values of other types', () => {
    expect(plan('Id,replicas\nweb,many\ndb,many\n')).toMatchObject({
      problems: ['Row 2: Replicas is “many”. Enter a number, such as 12 or 0.5.'],
      updated: [{ component: { id: 'db' }, fields: { properties: { replicas: 'many' } } }],
    });
  });
});

const kind = (id: string, name: string, baseType: string, fields: ComponentKind['fields'] = []) =>
  ({ id, name, baseType, color: '#112233', icon: 'box', fields }) as unknown as ComponentKind;
const replicas = { key: 'replicas', name: 'Replicas', type: 'number' } as const;
const pager = { key: 'pager', name: 'Pager', type: 'text' } as const;

describe('the kind in a CSV file', () => {
  const kinds = allTypes(
    [
      kind('shop', 'Web shop', 'service', [replicas]),
      kind('ledger', 'Accounts', 'database', [replicas, pager]),
    ],
    [{ name: 'Worker', typeId: 'database', color: '#445566', icon: 'clock' }],
  );
  const before = sample({
    components: [
      { id: 'web', properties: { kind: 'shop', replicas: '3', pager: ' 24/7 ' } },
      { id: 'api', properties: { replicas: 'many' } },
      { id: 'odd', typeId: 'database', properties: { kind: 'shop', replicas: 'many' } },
      { id: 'named', properties: { kind: 'Web shop' } },
      { id: 'spaces', properties: { kind: 'shop', ' kind': 'x', replicas: 1, ' replicas': 'y' } },
      { id: 'foreign', properties: { kind: 'Type of another browser' } },
      { id: 'other', properties: { Kind: 'a property with the name of the column' } },
    ],
  });
  const planned = (text: string, own = kinds) =>
    planSheetImport(parseCsv(text), before, catalogue, null, own);
  /** The fields that the import writes, by component. */
  const fieldsAfter = (text: string, own = kinds) => {
    const { created, updated, problems } = planned(text, own);
    expect(problems).toEqual([]);
    return Object.fromEntries([
      ...updated.map(({ component, fields }) => [component.id, fields] as const),
      ...created.map(({ id, fields }) => [id, fields] as const),
    ]);
  };

  it('changes nothing after an export, whatever the components refer to', () => {
    const text = sheetOf(before, catalogue, [], [], kinds);
    const nothing = { problems: [], created: [], updated: [], unchanged: before.component.size };
    expect(planned(text)).toMatchObject(nothing);
    // Without the property that has almost the same name, the heading can have any case.
    const { headings } = parseCsv(text);
    expect(headings).toEqual(expect.arrayContaining(['kind', 'Kind']));
    expect(planned('Id,KIND\nforeign,Type of another browser\nodd,shop\n')).toMatchObject({
      ...nothing,
      unchanged: 2,
    });
  });

  it('is stored by ID, together with the type that it is based on', () => {
    expect(fieldsAfter('Id,Name,Kind\nnew,New,ACCOUNTS\nother,,ledger\nfirst,First,Web shop\n')).toEqual({
      new: { typeId: 'database', name: 'New', properties: { kind: 'ledger' } },
      other: {
        typeId: 'database',
        properties: { Kind: 'a property with the name of the column', kind: 'ledger' },
      },
      first: { typeId: 'service', name: 'First', properties: { kind: 'shop' } },
    });
  });

  it('can be a former name, an ID in another case, or a custom type of this browser', () => {
    const text = 'Id,Name,kind,Type\na,A,Ledger,\nb,B,worker,\nc,C,Worker,Service\n';
    expect(fieldsAfter(text)).toMatchObject({
      a: { typeId: 'database', properties: { kind: 'ledger' } },
      b: { typeId: 'database', properties: { kind: 'Worker' } },
      c: { typeId: 'service', properties: { kind: 'Worker' } },
    });
  });

  it('leaves the type of a component that has the kind already', () => {
    expect(fieldsAfter('Id,Kind\nodd,Web shop\nnamed,shop\n')).toEqual({
      named: { properties: { kind: 'shop' } },
    });
    expect(fieldsAfter('Id,Kind\nweb,\n')).toEqual({
      web: { properties: { replicas: '3', pager: ' 24/7 ' } },
    });
  });

  it('is not imported with a type that contradicts it', () => {
    const text = 'Id,Name,Kind,Type\nnew,New,Accounts,Service\nother,,ledger,Service\nweb,,shop,Database\n';
    const problem = 'the kind Accounts is based on Database. Change the type to Database, or leave it empty.';
    expect(planned(text)).toMatchObject({
      created: [],
      updated: [],
      problems: [
        `Row 2: ${problem}`,
        `Row 3: ${problem}`,
        'Row 4: the kind Web shop is based on Service. Change the type to Service, or leave it empty.',
      ],
    });
    expect(fieldsAfter('Id,Kind,Type\nodd,shop,Service\n')).toEqual({ odd: { typeId: 'service' } });
    expect(fieldsAfter('Id,Type\nweb,Database\n')).toEqual({ web: { typeId: 'database' } });
  });

  it('must exist if the organization has kinds, unless it is unchanged', () => {
    const text = 'Id,Name,Kind\nnew,New,Acounts\nforeign,Foreign,Type of another browser\nweb,,Nothing\n';
    expect(planned(text)).toMatchObject({
      created: [],
      updated: [{ component: { id: 'foreign' }, fields: { name: 'Foreign' } }],
      problems: [
        'Row 2: unknown kind “Acounts”. Kinds: Web shop, Accounts.',
        'Row 4: unknown kind “Nothing”. Kinds: Web shop, Accounts.',
      ],
    });
    expect(fieldsAfter('Id,Name,Kind,kind\nnew,New,A,B\n', [])).toMatchObject({
      new: { properties: { Kind: 'A', kind: 'B' } },
    });
    const many = Array.from({ length: 23 }, (_, at) => kind(`k${at}`, `Kind ${at}`, 'service'));
    expect(planned('Name,Kind\nNew,x\n', allTypes(many, [])).problems[0]).toMatch(/, Kind 19 and 3 more\.$/);
  });

  it('converts and checks the fields of a new kind, also in unchanged cells', () => {
    const text = 'Id,kind,replicas,pager\nweb,ledger,3,24/7\napi,shop,many,\nodd,shop,many,\nother,shop\n';
    expect(planned(text)).toMatchObject({
      updated: [
        {
          component: { id: 'web' },
          fields: { typeId: 'database', properties: { kind: 'ledger', replicas: 3, pager: ' 24/7 ' } },
        },
        { component: { id: 'other' } },
      ],
      unchanged: 1,
      problems: ['Row 3: Replicas is “many”. Enter a number, such as 12 or 0.5.'],
    });
    // Columns that the file does not have are not checked.
    expect(fieldsAfter('Id,kind\napi,shop\n')).toEqual({
      api: { typeId: 'service', properties: { kind: 'shop', replicas: 'many' } },
    });
  });
});
