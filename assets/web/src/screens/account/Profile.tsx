/** The user's profile. */

import { formatDateTime } from '@/core/time/format';
import { useMe } from '@/data/accountQueries';
import { useSignInConfig } from '@/data/queries';
import { DescriptionList } from '@/ui/DataList';
import { QueryResult } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';

export function Profile() {
  const { data } = useSignInConfig();
  const providerName = data?.providerName ?? 'an identity provider';
  return (
    <Panel title="Profile" about="Your account on this instance. Your name is visible to other users.">
      <QueryResult query={useMe()} what="your profile">
        {(me) => (
          <DescriptionList
            of={[
              ['Name', me.displayName],
              ['Login', me.login ?? 'None'],
              ['Account', me.provider === 'local' ? 'Local account' : `Managed by ${providerName}`],
              ['Instance role', me.isAdmin ? 'Administrator' : 'User'],
              ['Created', formatDateTime(me.createdAt)],
              ['Last sign-in', me.lastLoginAt ? formatDateTime(me.lastLoginAt) : 'Never'],
            ]}
          />
        )}
      </QueryResult>
    </Panel>
  );
}
