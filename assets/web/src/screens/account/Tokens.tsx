/** The user's tokens for scripts. Each token is valid in one organization. */
import { fullUrl } from '@/api/base';
import { createToken, revokeToken } from '@/api/generated';
import { renewSession, useSession } from '@/api/session';
import { useOrganizations } from '@/data/queries';
import { SelectField } from '@/ui/Field';
import { TokenPanel } from './TokenPanel';

export function Tokens() {
  const active = useSession((state) => state.session?.orgId);
  const organizations = useOrganizations().data?.organizations ?? [];
  const create = async (name: string, orgId: string) => {
    // A token belongs to the organization that is active when it is created.
    if (orgId !== (active ?? '')) await renewSession(orgId || null);
    return createToken({ name });
  };
  return (
    <TokenPanel
      as="member"
      title="Tokens"
      about="A token lets a script act on your behalf in one organization until you revoke it. Create a separate token for each script."
      create={create}
      revoke={async (id) => {
        await revokeToken(id);
      }}
      example={(token) => `curl -H 'Authorization: Bearer ${token}' ${fullUrl('/api/workspaces')}`}
    >
      {organizations.length > 0 && (
        <SelectField label="Organization" name="orgId" defaultValue={active ?? ''}>
          {organizations.map((organization) => (
            <option key={organization.id} value={organization.id}>
              {organization.name}
            </option>
          ))}
        </SelectField>
      )}
    </TokenPanel>
  );
}
