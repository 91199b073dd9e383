import { describe, expect, it } from 'vitest';
import { parentItems, possibleParents, setParent, sharedParent } from './parents';
import { catalogue, sample } from './testing';

const rows = sample({
  components: ['shop', 'web', 'data', 'db', 'mail'].map((id) => ({ id })),
  relationships: [
    ['shop', 'contains', 'web'],
    ['shop', 'contains', 'data'],
    ['data', 'contains', 'db'],
    ['web', 'calls', 'db'],
  ],
});

describe('setting the group of components', () => {
  it('replaces the existing group', () => {
    expect(setParent(rows, ['web', 'mail'], 'data')).toMatchObject([
      { op: 'delete', kind: 'relationship', id: 'r0' },
      {
        op: 'create',
        id: 'data-contains-web',
        fields: { sourceId: 'data', targetId: 'web', typeId: 'contains' },
      },
      { op: 'create', id: 'data-contains-mail' },
    ]);
    expect(setParent(rows, ['db'], null)).toMatchObject([{ op: 'delete', id: 'r2' }]);
  });

  it('skips components that already are in the group, or contain it', () => {
    expect(setParent(rows, ['web'], 'shop')).toEqual([]);
    expect(setParent(rows, ['mail'], null)).toEqual([]);
    expect(setParent(rows, ['shop', 'data'], 'db')).toEqual([]);
  });

  it('is offered for components that are not inside the given ones', () => {
    expect(possibleParents(rows, ['data']).map(({ id }) => id)).toEqual(['shop', 'web', 'mail']);
    expect(possibleParents(rows, ['shop', 'mail']).map(({ id }) => id)).toEqual([]);
  });

  it('lists none, then groups, then other components', () => {
    expect(parentItems(rows, catalogue, ['db']).map(({ id }) => id)).toEqual([
      '',
      'data',
      'shop',
      'mail',
      'web',
    ]);
  });

  it('starts from the group that all of them share', () => {
    expect(sharedParent(rows, ['web', 'data'])).toBe('shop');
    expect(sharedParent(rows, ['shop', 'mail'])).toBe('');
    expect(sharedParent(rows, ['web', 'mail'])).toBeUndefined();
  });
});
