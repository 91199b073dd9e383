/** Who one is here. */

import { moment } from '@/core/time/format';
import { useMe } from '@/data/accountQueries';
import { useSignInConfig } from '@/data/queries';
import { Pairs } from '@/ui/DataList';
import { Loaded } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';

export function Profile() {
  const { data } = useSignInConfig();
  const providerName = data?.providerName ?? 'an identity provider';
  return (
    <Panel title="Profile" about="Who you are on this instance, and what others see of you.">
      <Loaded query={useMe()} what="your profile">
        {(me) => (
          <Pairs
            of={[
              ['Name', me.displayName],
              ['Login', me.login ?? 'None'],
              ['Account', me.provider === 'local' ? 'Kept on this instance' : `Kept by ${providerName}`],
              ['On the instance', me.isAdmin ? 'Administrator' : 'User'],
              ['Since', moment(me.createdAt)],
              ['Last signed in', me.lastLoginAt ? moment(me.lastLoginAt) : 'Not yet'],
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
