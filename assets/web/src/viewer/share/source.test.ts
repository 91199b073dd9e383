import { describe, expect, it } from 'vitest';
import { detailsOf, type SharedModel } from './source';

const MODEL: SharedModel = {
  name: 'Web shop',
  components: [
    { key: 'c1', name: 'Shop', type: 'Group' },
    {
      key: 'c2',
      name: 'Web',
      type: 'Application',
      parent: 'c1',
      description: 'Sells things.',
      technology: ['React'],
    },
    { key: 'c3', name: 'Payments', type: 'Service' },
  ],
  relationships: [
    { key: 'r1', from: 'c2', to: 'c3', label: 'charges', type: 'Calls' },
    { key: 'r2', from: 'c3', to: 'c2', type: 'Notifies' },
  ],
};

describe('a shared component', () => {
  it('has details and its relationships in both directions', () => {
    expect(detailsOf(MODEL, 'c2')).toEqual({
      name: 'Web',
      type: 'Application',
      description: 'Sells things.',
      facts: [
        { name: 'Technology', value: 'React' },
        { name: 'Part of', value: 'Shop' },
      ],
      connections: [
        { key: 'c3', name: 'Payments', label: 'charges', isOutgoing: true },
        { key: 'c3', name: 'Payments', label: 'notifies', isOutgoing: false },
      ],
      connectionCount: 2,
    });
  });

  it('must be on the map', () => {
    expect(() => detailsOf(MODEL, 'c9')).toThrow('not part of the shared map');
  });
});
