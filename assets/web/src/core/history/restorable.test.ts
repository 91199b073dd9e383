/** What of a past state can be written again. */
import { describe, expect, it } from 'vitest';
import type { Bundle } from '@/api/generated';
import { withoutGone } from './restorable';

const link = (personId: string | null, teamId: string | null, linkType = 'owner') => ({
  componentId: 'web',
  personId,
  teamId,
  linkType,
});
const bundle = {
  workspace: {
    id: 'shop',
    name: 'Shop',
    description: '',
    properties: {},
    visibility: 'private',
    ownerUserId: 7,
  },
  components: [{ id: 'web' }],
  relationships: [],
  stakeholders: [link('ada', null), link(null, 'core'), link('gone', null), link('ada', null, 'old-role')],
  processes: [],
  places: {},
} as unknown as Bundle;

describe('a past state that is written again', () => {
  const { document, skipped } = withoutGone(bundle, {
    people: [{ id: 'ada' }],
    teams: [{ id: 'core' }],
    roles: [{ id: 'owner' }],
  });

  it('has the stakeholders who can still be, and counts the others', () => {
    expect(document.stakeholders).toEqual([link('ada', null), link(null, 'core')]);
    expect(skipped).toBe(2);
  });

  it('leaves to the workspace who sees it and whose it is', () => {
    expect(document.workspace).toEqual({ name: 'Shop', description: '', properties: {} });
  });
});
