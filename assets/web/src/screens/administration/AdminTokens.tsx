/** Instance tokens of an administrator. They belong to no organization and cannot access workspaces. */
import { fullUrl } from '@/api/base';
import { createAdminToken, revokeAdminToken } from '@/api/generated';
import { renewSession, useSession } from '@/api/session';
import { TokenPanel } from '@/screens/account/TokenPanel';

export function AdminTokens() {
  const create = async (name: string) => {
    // Tokens belong to the active organization, so deactivate it while creating the token.
    const active = useSession.getState().session?.orgId ?? null;
    if (active !== null) await renewSession(null);
    try {
      return await createAdminToken({ name });
    } finally {
      if (active !== null) await renewSession(active);
    }
  };
  return (
    <TokenPanel
      as="admin"
      title="Instance tokens"
      about="For scripts that manage users, settings and the audit log. They act on your behalf and have no access to workspaces. Create tokens for an organization in your account."
      create={create}
      revoke={async (id) => {
        await revokeAdminToken(id);
      }}
      belongs={(token) => token.orgId === null}
      example={(token) => `curl -H 'Authorization: Bearer ${token}' ${fullUrl('/api/admin/users')}`}
    />
  );
}
