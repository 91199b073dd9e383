import { describe, expect, it } from 'vitest';
import { choiceOf, chosenOptions, formatOfNames } from './readingOptions';

const choose = (format: string, ...texts: readonly string[]) =>
  choiceOf(
    format,
    texts.map((text, at) => ({ name: String(at), text })),
  );

describe('the options of a format', () => {
  it('are the headings of all tables, each once', () => {
    const first = '\uFEFF\nApp;"Contact; team";Since\r\nShop;Books;2020\r\n';
    expect(choose('csv', first, 'App,"Two\nlines"\nA,b\n')).toEqual({
      kind: 'columns',
      headings: ['App', 'Contact; team', 'Since', 'Two\nlines'],
    });
    expect(choose('csv', '# connect: {}\n\nname,refs\n')).toEqual({
      kind: 'columns',
      headings: ['name', 'refs'],
    });
    expect(choose('csv', '')).toBeUndefined();
  });
  it('are the environments of Structurizr and LikeC4', () => {
    const dsl = 'deploymentEnvironment "Live 1" {\n}\nx = deploymentenvironment Dev {\n}';
    expect(choose('structurizr-dsl', dsl)).toEqual({ kind: 'environment', names: ['Live 1', 'Dev'] });
    const nodes = [{ environment: 'Live' }, { environment: 'Live' }, { environment: 'Dev' }, null];
    expect(choose('structurizr-json', JSON.stringify({ model: { deploymentNodes: nodes } }))).toEqual({
      kind: 'environment',
      names: ['Live', 'Dev'],
    });
    const model = { deployments: { elements: { prod: {}, 'prod.zone': {}, dev: {} } } };
    const both = { kind: 'environment', names: ['prod', 'dev'] };
    expect(choose('likec4', JSON.stringify(model))).toEqual(both);
    expect(choose('likec4', JSON.stringify([model]))).toEqual(both);
    expect(choose('likec4', '{')).toBeUndefined();
    expect(choose('structurizr-json', '[]')).toBeUndefined();
  });
  it('are the motivation for ArchiMate, the systems for Compose, and nothing for others', () => {
    expect(choose('archimate', '')).toEqual({ kind: 'flag', option: 'motivation' });
    expect(choose('compose', '')).toEqual({ kind: 'flag', option: 'systems' });
    expect(choose('kubernetes', 'deploymentEnvironment "Live"')).toBeUndefined();
  });
  it('are left out of the request if nothing is chosen', () => {
    expect(chosenOptions({})).toBeUndefined();
    expect(chosenOptions({ motivation: false, deployment: null, columns: { name: '' } })).toBeUndefined();
    expect(chosenOptions({ columns: { name: 'App', type: '' } })).toEqual({ columns: { name: 'App' } });
    expect(chosenOptions({ deployment: 'all' })).toEqual({ deployment: 'all' });
  });
  it('follow the extension while the files cannot be read', () => {
    expect([formatOfNames(['a/b.CSV']), formatOfNames(['a.yaml'])]).toEqual(['csv', '']);
  });
});
