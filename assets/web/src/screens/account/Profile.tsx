/** The user's profile. */
import { useMe } from '@/app/accountQueries';
import { useSignInConfig } from '@/app/queries';
import { moment } from '@/core/time/moment';
import { Pairs } from '@/ui/DataList';
import { Loaded } from '@/ui/Loaded';
import { Panel } from '@/ui/Sections';

export function Profile() {
  const { data } = useSignInConfig();
  const providerName = data?.providerName ?? 'an identity provider';
  return (
    <Panel title="Profile" about="Your account on this instance. Your name is visible to other users.">
      <Loaded query={useMe()} what="your profile">
        {(me) => (
          <Pairs
            of={[
              ['Name', me.displayName],
              ['Login', me.login ?? 'None'],
              ['Account', me.provider === 'local' ? 'Local account' : `Managed by ${providerName}`],
              ['Instance role', me.isAdmin ? 'Administrator' : 'User'],
              ['Created', moment(me.createdAt)],
              ['Last sign-in', me.lastLoginAt ? moment(me.lastLoginAt) : 'Never'],
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
