import { expect, it } from 'vitest';
import { protectionText } from './protection';

it('the protection of a workspace names the approvals and the exemption', () => {
  const open = { protected: false, requiredApprovals: 0, ownersExempt: false };
  expect(protectionText(open)).toMatch(/^Not protected/);
  expect(protectionText({ ...open, protected: true })).toBe(
    'Protected: changes need a draft that an editor merges.',
  );
  expect(protectionText({ protected: true, requiredApprovals: 2, ownersExempt: true })).toBe(
    'Protected: changes need a draft with 2 approvals. Owners can change the map directly.',
  );
});
