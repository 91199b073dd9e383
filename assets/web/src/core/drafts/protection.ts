/** The protection of a workspace in words. */
import type { WorkspaceProtection } from '@/api/generated';
import { formatCount } from '@/core/text';

export function protectionText({
  protected: isProtected,
  requiredApprovals,
  ownersExempt,
}: Omit<WorkspaceProtection, 'canBypass'>): string {
  if (!isProtected) return 'Not protected: editors can change the map directly or with a draft.';
  const approvals =
    requiredApprovals > 0 ? `with ${formatCount(requiredApprovals, 'approval')}` : 'that an editor merges';
  const owners = ownersExempt ? ' Owners can change the map directly.' : '';
  return `Protected: changes need a draft ${approvals}.${owners}`;
}
