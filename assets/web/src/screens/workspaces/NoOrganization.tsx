/** Somebody who belongs to no organization, and what they can do about it. */
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
      <Notice title="You are in no organization yet">
        <p>Maps belong to organizations. Ask somebody in yours for an invitation, and open the link.</p>
        {provider && (
          <p>
            {provider} named no organization and no group of yours that leads into one here. Should it have,
            ask whoever runs this instance.
          </p>
        )}
        {isAdmin ? (
          <p>
            You administer this instance, so you may also found one. Accounts, the audit log and the settings
            are in the <Link href="/admin">administration</Link>.
          </p>
        ) : mayFound ? (
          <p>You may also found one of your own, and invite others into it.</p>
        ) : (
          <p>Nothing is lost meanwhile: what you may see comes with the invitation.</p>
        )}
        <div>
          <NewOrganization kind="main" />
        </div>
      </Notice>
    </Shell>
  );
}
