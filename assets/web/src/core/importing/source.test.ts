import { describe, expect, it } from 'vitest';
import type { ListedSource } from '@/api/generated';
import {
  byRepository,
  matchingSource,
  nameOfFiles,
  newSourceId,
  sourcesNamed,
  workspaceName,
} from './source';

const source = (id: string, kind = 'compose') => ({ id, kind }) as ListedSource;

describe('the source of files', () => {
  it('is named after the file, or after the folder that contains all files', () => {
    expect(nameOfFiles(['compose.yaml'])).toBe('compose.yaml');
    expect(nameOfFiles(['deploy/a.yaml', 'deploy/b/c.yaml'])).toBe('deploy');
    expect(nameOfFiles(['deploy/a.yaml', 'deploy-old/c.yaml'])).toBe('');
    expect(newSourceId(['a.yaml', 'b.yaml'], 'kubernetes')).toBe('kubernetes');
  });
  it('is a known one of the same format with this name at the end', () => {
    const known = [source('github.com/acme/shop:compose.yaml'), source('compose.yaml', 'kubernetes')];
    expect(matchingSource(known, ['compose.yaml'], 'compose')?.id).toBe('github.com/acme/shop:compose.yaml');
    expect(matchingSource(known, ['other.yaml'], 'compose')).toBeUndefined();
    expect(matchingSource([...known, source('compose.yaml')], ['compose.yaml'], 'compose')?.id).toBe(
      'compose.yaml',
    );
  });
  it('is a new one if several known ones could be meant', () => {
    const known = [source('a:compose.yaml'), source('b:compose.yaml')];
    expect(matchingSource(known, ['compose.yaml'], 'compose')).toBeUndefined();
    expect(sourcesNamed(known, source('compose.yaml')).map(({ id }) => id)).toEqual([
      'a:compose.yaml',
      'b:compose.yaml',
    ]);
  });
  it('names a new workspace', () => {
    expect(workspaceName(['deploy/shop.compose.yaml'], undefined)).toBe('shop');
    expect(workspaceName(['a.yaml'], ' Web shop ')).toBe('Web shop');
    expect(workspaceName(['a/x.yaml', 'b/x.yaml'], '')).toBe('Imported map');
  });
});

it('sources are grouped by repository, those without one last', () => {
  const all = [{ id: 'a' }, { id: 'b', repository: 'shop' }, { id: 'c', repository: 'bank' }, { id: 'd' }];
  expect(byRepository(all, ({ repository }) => repository)).toEqual([
    ['bank', [all[2]]],
    ['shop', [all[1]]],
    ['', [all[0], all[3]]],
  ]);
});
