/** Who one is here. */

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
    <Panel title="Profile" about="Who you are on this instance, and what others see of you.">
      <QueryResult query={useMe()} what="your profile">
        {(me) => (
          <DescriptionList
            of={[
              ['Name', me.displayName],
              ['Login', me.login ?? 'None'],
              ['Account', me.provider === 'local' ? 'Kept on this instance' : `Kept by ${providerName}`],
              ['On the instance', me.isAdmin ? 'Administrator' : 'User'],
              ['Since', formatDateTime(me.createdAt)],
              ['Last signed in', me.lastLoginAt ? formatDateTime(me.lastLoginAt) : 'Not yet'],
            ]}
          />
        )}
      </QueryResult>
    </Panel>
  );
}
