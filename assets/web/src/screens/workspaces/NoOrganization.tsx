/** Shown to users without an organization, with possible next steps. */
import { Link } from 'wouter';
import { useSession } from '@/api/session';
import { useMe } from '@/data/accountQueries';
import { useSignInConfig } from '@/data/queries';
import { NewOrganization, useCanCreateOrganization } from '@/screens/organization/NewOrganization';
import { Shell } from '@/screens/shell/Shell';
import { Notice } from '@/ui/Notice';

export function NoOrganization() {
  const isAdmin = useSession((state) => state.user?.isAdmin);
  const mayFound = useCanCreateOrganization();
  const { data: me } = useMe();
  const { data } = useSignInConfig();
  const provider = me && me.provider !== 'local' ? data?.providerName : undefined;
  return (
    <Shell>
      <Notice title="You are not in an organization yet">
        <p>Workspaces belong to organizations. Ask an organization administrator for an invitation link.</p>
        {provider && (
          <p>
            {provider} did not report an organization or group that is linked to an organization here. If this
            is unexpected, contact your administrator.
          </p>
        )}
        {isAdmin ? (
          <p>
            As an administrator of this instance, you can also create an organization, or manage users, the
            audit log and settings under <Link href="/admin">Administration</Link>.
          </p>
        ) : mayFound ? (
          <p>You can also create your own organization and invite others.</p>
        ) : (
          <p>You get access to workspaces when you accept the invitation.</p>
        )}
        <div>
          <NewOrganization kind="main" />
        </div>
      </Notice>
    </Shell>
  );
}
