/** Tokens of the administrator's own that belong to no organization: they reach the instance, and no map. */
import { mintAdminToken, revokeAdminToken } from '@/api/generated';
import { renewSession, useSession } from '@/api/session';
import { TokenPanel } from '@/screens/account/TokenPanel';

export function AdminTokens() {
  const mint = async (name: string) => {
    // A token belongs to what is active when it is made: nothing, for this moment.
    const active = useSession.getState().session?.orgId ?? null;
    if (active !== null) await renewSession(null);
    try {
      return await mintAdminToken({ name });
    } finally {
      if (active !== null) await renewSession(active);
    }
  };
  return (
    <TokenPanel
      as="admin"
      title="Own tokens for the instance"
      about="For scripts that look after accounts, settings and the audit log. They act as you, and reach no map; tokens for an organization are in your account."
      mint={mint}
      revoke={async (id) => {
        await revokeAdminToken(id);
      }}
      belongs={(token) => token.orgId === null}
      example={(token) => `curl -H 'Authorization: Bearer ${token}' ${location.origin}/api/admin/users`}
    />
  );
}
