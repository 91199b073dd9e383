import { describe, expect, it } from 'vitest';
import type { Workspace } from '@/api/generated';
import { type Digest, toDigest } from '@/core/digest/digest';
import { OWNER, unowned } from '@/core/model/model';
import { shop } from '@/core/model/testing';
import { componentsWithoutRole, heldBy, responsibilitiesOf } from './responsibilities';

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
  it('are those without a stakeholder in the owner role, except components of type person', () => {
    expect(componentsWithoutRole(read, OWNER)[0]?.components.map(({ id }) => id)).toEqual(['db']);
  });

  it('are the same as on the map', () => {
    const rows = {
      components: [...shop.rows.component.values()],
      relationships: [...shop.rows.relationship.values()],
      stakeholders: [...shop.rows.stakeholder.values()],
    };
    const loaded = [{ workspace: { id: 'shop', name: 'Shop' } as Workspace, digest: toDigest(rows) }];
    const listed = componentsWithoutRole(loaded, OWNER).flatMap(({ components }) => components);
    expect(listed.map(({ id }) => id)).toEqual(unowned(shop).map(({ id }) => id));
  });

  it('can have stakeholders in other roles, unlike components without stakeholders', () => {
    expect(componentsWithoutRole(read, 'support')[0]?.components.map(({ id }) => id)).toEqual(['api', 'web']);
    expect(componentsWithoutRole(read, '')).toEqual([]);
  });
});
