/** Members of the organization and their roles. */
import { Fragment, useState } from 'react';
import { useLocation } from 'wouter';
import { type OrgMember, type OrgRole, updateOrgMember } from '@/api/generated';
import { renewSession, useSession } from '@/api/session';
import { accountQueryKeys, invalidate, useMembers } from '@/data/accountQueries';
import { invalidateDirectory, queryClient, queryKeys } from '@/data/queries';
import { orgPath } from '@/routing/paths';
import { Button } from '@/ui/Button';
import { Badge, DataList, DataRow } from '@/ui/DataList';
import { FormNote } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { RelativeTime } from '@/ui/RelativeTime';
import { Panel } from '@/ui/Sections';
import { Select } from '@/ui/Select';
import { showError, showToast } from '@/ui/Toasts';
import { AdminsOnly } from './AdminsOnly';
import type { OrganizationProps } from './organizationProps';
import { RemoveMember } from './RemoveMember';

export function Members(props: OrganizationProps) {
  return (
    <AdminsOnly organization={props.organization} title="Members">
      <List {...props} />
    </AdminsOnly>
  );
}

function List({ organization }: OrganizationProps) {
  const me = useSession((state) => state.user?.id);
  const [, navigate] = useLocation();
  const query = useMembers(organization.id);
  const [selected, setSelected] = useState<OrgMember | null>(null);
  const admins =
    query.data?.members.filter(({ role, isSuspended }) => role === 'org:admin' && !isSuspended) ?? [];
  const removed = async () => {
    if (selected?.userId === me) {
      await renewSession(null);
      await queryClient.invalidateQueries({ queryKey: queryKeys.organizations });
      navigate('/');
    } else {
      await invalidate(accountQueryKeys.members(organization.id));
      invalidateDirectory();
    }
    showToast(`Removed ${selected?.user.displayName} from ${organization.name}`);
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
        <FormNote>
          <p>
            {admins[0]?.userId === me ? 'You are' : `${admins[0]?.user.displayName} is`} the only
            administrator. Make someone else an administrator before leaving or changing the role.
          </p>
        </FormNote>
      )}
      <QueryResult query={query} what="members">
        {({ members }) => (
          <DataList label="Members">
            {members.map((member) => (
              <Member
                key={member.userId}
                member={member}
                isMyself={member.userId === me}
                isLastAdmin={admins.length === 1 && admins[0] === member}
                onRemove={() => setSelected(member)}
              />
            ))}
          </DataList>
        )}
      </QueryResult>
      {selected && (
        <RemoveMember
          organization={organization}
          member={{ userId: selected.userId, name: selected.user.displayName }}
          isMyself={selected.userId === me}
          onClose={() => setSelected(null)}
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
      await updateOrgMember(member.orgId, member.userId, { role });
      await invalidate(accountQueryKeys.members(member.orgId));
      if (isMyself) await Promise.all([renewSession(member.orgId), invalidate(queryKeys.organizations)]);
      showToast(`${name} is now ${role === 'org:admin' ? 'an administrator' : 'a member'}`);
    } catch (error) {
      showError(error);
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
      facts={[
        member.user.login,
        <Fragment key="joined">
          joined <RelativeTime time={member.joinedAt} />
        </Fragment>,
      ]}
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
