/** Somebody who belongs to no organization, and what they can do about it. */
import { useState } from 'react';
import { Link } from 'wouter';
import { useSession } from '@/api/session';
import { Shell } from '@/app/Shell';
import { NewOrganization } from '@/screens/organization/NewOrganization';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';

export function NoOrganization() {
  const isAdmin = useSession((state) => state.user?.isAdmin);
  const [founds, setFounds] = useState(false);
  return (
    <Shell>
      <Notice title="You are in no organization yet">
        <p>Maps belong to organizations. Ask somebody in yours for an invitation, and open the link.</p>
        {isAdmin ? (
          <>
            <p>
              You administer this instance, so you may also found one. Accounts, the audit log and the
              settings are in the <Link href="/admin">administration</Link>.
            </p>
            <div>
              <Button kind="main" onClick={() => setFounds(true)}>
                New organization
              </Button>
            </div>
          </>
        ) : (
          <p>Nothing is lost meanwhile: what you may see comes with the invitation.</p>
        )}
      </Notice>
      <NewOrganization open={founds} onClose={() => setFounds(false)} />
    </Shell>
  );
}
