import { describe, expect, it } from 'vitest';
import type { Workspace } from '@/api/generated';
import type { Digest } from '@/core/digest/digest';
import { heldBy, responsibilitiesOf, unownedComponents } from './responsibilities';

const component = (id: string, typeId = 'service') => ({ id, name: id, typeId, x: 0, y: 0 });
const digest: Digest = {
  components: [component('web'), component('api'), component('db'), component('shopper', 'person')],
  lines: [],
  stakeholders: [
    { componentId: 'db', personId: 'ada', teamId: null, roleId: 'support' },
    { componentId: 'web', personId: 'ada', teamId: null, roleId: 'owner' },
    { componentId: 'api', personId: null, teamId: 'core', roleId: 'owner' },
    { componentId: 'gone', personId: 'ada', teamId: null, roleId: 'owner' },
  ],
};
const read = [{ workspace: { id: 'shop', name: 'Shop' } as Workspace, digest }];
const roles = [{ id: 'owner' }, { id: 'support' }];

describe('the responsibilities of a person', () => {
  it("include those of the person's teams, ordered by role", () => {
    const [shop] = responsibilitiesOf(read, heldBy('ada', new Map([['core', 'Core team']])), roles);
    expect(shop?.list.map(({ component, via }) => [component.id, via])).toEqual([
      ['api', 'Core team'],
      ['web', undefined],
      ['db', undefined],
    ]);
  });

  it('are empty without any role', () => {
    expect(responsibilitiesOf(read, heldBy('grace', new Map()), roles)).toEqual([]);
  });
});

describe('components without an owner', () => {
  it('exclude components with an owner, and components of type person', () => {
    expect(unownedComponents(read, '')).toEqual([]);
  });

  it('can be found for a single role', () => {
    expect(unownedComponents(read, 'owner')[0]?.components.map(({ id }) => id)).toEqual(['db']);
  });
});
