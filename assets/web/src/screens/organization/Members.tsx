/** Members of the organization and their roles. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import { changeOrgMember, type OrgMember, type OrgRole } from '@/api/generated';
import { renew, useSession } from '@/api/session';
import { accountKeys, stale, useMembers } from '@/app/accountQueries';
import { orgPath } from '@/app/paths';
import { directoryChanged, keys, queryClient } from '@/app/queries';
import { moment } from '@/core/time/moment';
import { Button } from '@/ui/Button';
import { Badge, DataList, DataRow } from '@/ui/DataList';
import { Remark } from '@/ui/Form';
import { Loaded } from '@/ui/Loaded';
import { Panel } from '@/ui/Sections';
import { Select } from '@/ui/Select';
import { complain, say } from '@/ui/Toasts';
import { AdminsOnly } from './AdminsOnly';
import type { OfOrganization } from './OrganizationSettings';
import { RemoveMember } from './RemoveMember';

export function Members(props: OfOrganization) {
  return (
    <AdminsOnly organization={props.organization} title="Members">
      <List {...props} />
    </AdminsOnly>
  );
}

function List({ organization }: OfOrganization) {
  const me = useSession((state) => state.user?.id);
  const [, navigate] = useLocation();
  const query = useMembers(organization.id);
  const [going, setGoing] = useState<OrgMember | null>(null);
  const admins =
    query.data?.members.filter(({ role, isSuspended }) => role === 'org:admin' && !isSuspended) ?? [];
  const removed = async () => {
    if (going?.userId === me) {
      await renew(null);
      await queryClient.invalidateQueries({ queryKey: keys.organizations });
      navigate('/');
    } else {
      await stale(accountKeys.members(organization.id));
      directoryChanged();
    }
    say(`Removed ${going?.user.displayName} from ${organization.name}`);
  };
  return (
    <Panel
      title="Members"
      about="Members view and edit workspaces. Administrators also manage members, invitations and roles."
      actions={
        <Button onClick={() => navigate(orgPath(organization.slug, 'settings', 'invitations'))}>
          Invite
        </Button>
      }
    >
      {admins.length === 1 && (
        <Remark>
          <p>
            {admins[0]?.userId === me ? 'You are' : `${admins[0]?.user.displayName} is`} the only
            administrator. Make someone else an administrator before leaving or changing the role.
          </p>
        </Remark>
      )}
      <Loaded query={query} what="members">
        {({ members }) => (
          <DataList label="Members">
            {members.map((member) => (
              <Member
                key={member.userId}
                member={member}
                isMyself={member.userId === me}
                isLastAdmin={admins.length === 1 && admins[0] === member}
                onRemove={() => setGoing(member)}
              />
            ))}
          </DataList>
        )}
      </Loaded>
      {going && (
        <RemoveMember
          organization={organization}
          member={{ userId: going.userId, name: going.user.displayName }}
          isMyself={going.userId === me}
          onClose={() => setGoing(null)}
          onRemoved={removed}
        />
      )}
    </Panel>
  );
}

interface MemberProps {
  member: OrgMember;
  isMyself: boolean;
  isLastAdmin: boolean;
  onRemove: () => void;
}

function Member({ member, isMyself, isLastAdmin, onRemove }: MemberProps) {
  const name = member.user.displayName;
  const [busy, setBusy] = useState(false);
  const change = async (role: OrgRole) => {
    setBusy(true);
    try {
      await changeOrgMember(member.orgId, member.userId, { role });
      await stale(accountKeys.members(member.orgId));
      if (isMyself) await Promise.all([renew(member.orgId), stale(keys.organizations)]);
      say(`${name} is now ${role === 'org:admin' ? 'an administrator' : 'a member'}`);
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <DataRow
      title={name}
      badges={
        <>
          {isMyself && <Badge>You</Badge>}
          {member.isSuspended && <Badge tone="alarm">Suspended</Badge>}
        </>
      }
      facts={[member.user.login, `joined ${moment(member.joinedAt)}`]}
      actions={
        <>
          <Select
            aria-label={`Role of ${name}`}
            value={member.role}
            disabled={busy || isLastAdmin}
            onChange={(event) => void change(event.target.value as OrgRole)}
          >
            <option value="org:member">Member</option>
            <option value="org:admin">Administrator</option>
          </Select>
          <Button
            kind="danger"
            disabled={isLastAdmin}
            aria-label={isMyself ? 'Leave organization' : `Remove ${name}`}
            onClick={onRemove}
          >
            {isMyself ? 'Leave' : 'Remove'}
          </Button>
        </>
      }
    />
  );
}
