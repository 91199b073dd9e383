import { describe, expect, it } from 'vitest';
import type { Bundle, Catalogue, ImportResult, Document as WorkspaceDocument } from '@/api/generated';
import { parseImportFile } from './file';
import { jsonErrorPosition } from './jsonErrors';
import { summarizeImport } from './preview';

const catalogue = {
  componentTypes: [{ id: 'service', name: 'Service' }],
  relationTypes: [],
  lifecycleStates: [{ id: 'live', name: 'Live', color: '#000000' }],
  stakeholderLinkTypes: [],
} as unknown as Catalogue;

describe('an import file', () => {
  it('is detected by its content', () => {
    const text =
      '\uFEFF{"format":"planroom/1","workspace":{"id":"shop","name":"Shop"},"components":[],"relationships":[]}';
    expect(parseImportFile('a.json', text, catalogue)).toMatchObject({
      kind: 'Planroom file (planroom/1)',
      id: 'shop',
      name: 'Shop',
    });
    const bare = parseImportFile('The shop.bulk.json', '{"components":[],"relationships":[]}', catalogue);
    expect(bare).toMatchObject({ kind: 'Components and relationships', id: '', name: 'The shop' });
  });

  it('with a table is converted to components and lists omitted parts', () => {
    const { document, left } = parseImportFile('t.csv', 'name,lifecycle,In\nA,live,3\nB,gone,1\n', catalogue);
    expect(document.components).toMatchObject([
      { id: 'a', name: 'A', typeId: 'service', properties: { lifecycle: 'live' } },
    ]);
    expect(document.components?.[0], 'the server chooses positions').not.toHaveProperty('x');
    expect(left[0]).toContain('Row 3');
    expect(left[1]).toContain('In');
  });

  it.each([
    ['', 'empty'],
    ['{"a": [1,}', 'line 1'],
    ['{\n"a": 1\n"b": 2}', 'line 3'],
    ['"text"', 'not a map'],
    ['{"components": 1}', '“components”'],
  ])('that is not a map is rejected: %j', (text, words) => {
    expect(() => parseImportFile('a.json', text, catalogue)).toThrow(words);
  });
});

describe('the position of a JSON error', () => {
  it.each([
    ['[1, 2', 5],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['{} {}', 3],
    ['[}', 1],
    ['nul', 0],
    ['"open', 0],
  ])('%j at %i', (text, at) => {
    expect(jsonErrorPosition(text)).toBe(at);
  });
});

describe('the preview of an import', () => {
  const none = {
    workspaces: [],
    components: [],
    relationships: [],
    stakeholders: [],
    links: [],
    processes: [],
    notes: [],
    people: [],
    teams: [],
    roles: [],
    kinds: [],
  };
  const document = {
    components: [{ id: 'a', name: 'Alpha', typeId: 'service' }],
    relationships: [{ id: 'r', sourceId: 'a', targetId: 'b', typeId: 'calls' }],
    people: [{ id: 'ada', name: 'Ada' }],
    notes: [{ id: 'n', text: '# Plan\nrest' }],
  } as unknown as WorkspaceDocument;
  const current = {
    workspace: { id: 'shop', name: 'Shop' },
    components: [{ id: 'b', name: 'Beta' }],
    relationships: [],
    processes: [],
  } as unknown as Bundle;

  it('uses names from the file and the workspace', () => {
    const answer = {
      created: { ...none, components: ['a'], relationships: ['r'], notes: ['n'] },
      updated: none,
      deleted: { ...none, components: ['b'] },
      kept: { ...none, people: ['ada'] },
      ignored: ['workspace.visibility'],
    } as unknown as ImportResult;
    const preview = summarizeImport(answer, document, current);
    expect(preview.created).toEqual([
      { kind: '1 component', names: ['Alpha'] },
      { kind: '1 relationship', names: ['Alpha calls Beta'] },
      { kind: '1 note', names: ['Plan'] },
    ]);
    expect(preview.deleted).toEqual([{ kind: '1 component', names: ['Beta'] }]);
    expect(preview.warnings[0]).toContain('“Ada”');
    expect(preview.warnings).toHaveLength(2);
    expect(preview.isNothing).toBe(false);
  });

  it('names kinds that are created, and those that the user cannot create', () => {
    const kinds = [
      { id: 'worker', name: 'Message worker' },
      { id: 'ledger', name: 'Ledger' },
    ];
    const answer = {
      created: { ...none, kinds: ['worker'] },
      updated: none,
      deleted: none,
      kept: none,
      ignored: ['kinds.ledger'],
    } as unknown as ImportResult;
    const preview = summarizeImport(answer, { ...document, kinds } as unknown as WorkspaceDocument, current);
    expect(preview.created).toEqual([{ kind: '1 kind', names: ['Message worker'] }]);
    expect(preview.warnings).toEqual([expect.stringMatching(/^The kind “Ledger” will not be created/)]);
  });

  it('is empty if nothing would change', () => {
    const answer = { created: none, updated: none, deleted: none, kept: none } as unknown as ImportResult;
    expect(summarizeImport(answer, document, current).isNothing).toBe(true);
  });
});
