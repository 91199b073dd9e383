import { describe, expect, it } from 'vitest';
import type { ListedSource } from '@/api/generated';
import { staleAdvice, staleGroups } from './stale';

const source = (id: string, lastSyncAt: number, repository: string | null, isStale = true) =>
  ({ id, name: null, lastSyncAt, repository, isStale }) as ListedSource;

describe('stale sources', () => {
  it('are those that the server marks, by repository, with the last sync', () => {
    const groups = staleGroups([
      source('map.drawio', 7, null),
      source('shop:compose.yaml', 3, 'shop'),
      source('shop:k8s', 5, 'shop'),
      source('bank:compose.yaml', 1, 'bank', false),
    ]);
    expect(groups.map(({ repository, names, last }) => [repository, names, last.lastSyncAt])).toEqual([
      ['shop', 'shop:compose.yaml, shop:k8s', 5],
      ['', 'map.drawio', 7],
    ]);
    expect(staleGroups([source('bank:compose.yaml', 1, 'bank', false)])).toEqual([]);
  });

  it('are named by their display names, and counted if there are many', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((id) => source(id, 1, 'shop'));
    expect(staleGroups(many)[0]?.names).toBe('a, b, c and 2 more');
    expect(staleGroups([{ ...source('a', 1, 'shop'), name: 'Cluster' }])[0]?.names).toBe('Cluster');
  });

  it('have a remedy that fits where they come from', () => {
    expect(staleAdvice('shop').after).toContain('pipeline of shop');
    expect(staleAdvice(null).before).toContain('Import the files again');
  });
});
