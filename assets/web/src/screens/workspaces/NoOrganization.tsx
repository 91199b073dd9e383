/** Shown to users without an organization, with what they can do. */
import { Link } from 'wouter';
import { useSession } from '@/api/session';
import { useMe } from '@/app/accountQueries';
import { useSignInConfig } from '@/app/queries';
import { Shell } from '@/app/Shell';
import { NewOrganization, useMayFound } from '@/screens/organization/NewOrganization';
import { Notice } from '@/ui/Notice';

export function NoOrganization() {
  const isAdmin = useSession((state) => state.user?.isAdmin);
  const mayFound = useMayFound();
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
