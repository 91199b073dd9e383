/** Invitations to the organization: one-time links. */
import { useState } from 'react';
import {
  createInvitation,
  type Invitation,
  type Invited,
  OrgRole,
  withdrawInvitation,
} from '@/api/generated';
import { accountKeys, stale, useInvitations, useMembers } from '@/app/accountQueries';
import { fromNow, moment } from '@/core/time/moment';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, Empty } from '@/ui/DataList';
import { SelectField, TextField } from '@/ui/Field';
import { Form, Problem, Submit } from '@/ui/Form';
import { Loaded } from '@/ui/Loaded';
import { Panel } from '@/ui/Sections';
import { say } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { AdminsOnly } from './AdminsOnly';
import { InvitationLink } from './InvitationLink';
import type { OfOrganization } from './OrganizationSettings';

export function Invitations(props: OfOrganization) {
  return (
    <AdminsOnly organization={props.organization} title="Invitations">
      <Invite {...props} />
      <List {...props} />
    </AdminsOnly>
  );
}

function Invite({ organization }: OfOrganization) {
  const [invited, setInvited] = useState<Invited | null>(null);
  const form = useForm(['email', 'role'], async ({ email, role }) => {
    const isAdmin = role === OrgRole['org:admin'];
    const address = email.trim();
    setInvited(
      await createInvitation(organization.id, {
        role: isAdmin ? 'org:admin' : 'org:member',
        ...(address ? { email: address } : {}),
      }),
    );
    void stale(accountKeys.invitations(organization.id));
  });
  return (
    <Panel
      title="Invite people"
      about="Creates a one-time invite link that you send yourself. It expires in 7 days."
    >
      {invited ? (
        <InvitationLink invited={invited} onDone={() => setInvited(null)} />
      ) : (
        <Form form={form}>
          <TextField
            label="Email"
            name="email"
            type="email"
            autoComplete="off"
            hint="Optional. A note of who the link is for. No email is sent."
            problem={form.problem('email')}
          />
          <SelectField label="Role" name="role" defaultValue="org:member" problem={form.problem('role')}>
            <option value="org:member">Member</option>
            <option value="org:admin">Administrator</option>
          </SelectField>
          <Problem text={form.problem()} />
          <div>
            <Submit form={form}>Create invite link</Submit>
          </div>
        </Form>
      )}
    </Panel>
  );
}

function List({ organization }: OfOrganization) {
  const query = useInvitations(organization.id);
  const members = useMembers(organization.id).data?.members ?? [];
  const [going, setGoing] = useState<Invitation | null>(null);
  const nameOf = (userId: number | null) =>
    members.find((member) => member.userId === userId)?.user.displayName ?? 'a former member';
  const withdraw = async () => {
    if (!going) return;
    await withdrawInvitation(organization.id, going.id);
    await stale(accountKeys.invitations(organization.id));
    say('Invitation revoked');
  };
  return (
    <Panel title="Invitations">
      <Loaded query={query} what="invitations">
        {({ invitations }) =>
          invitations.length === 0 ? (
            <Empty>No invitations</Empty>
          ) : (
            <DataList label="Invitations">
              {invitations.toReversed().map((one) => (
                <DataRow
                  key={one.id}
                  title={one.email ?? 'Anyone with the link'}
                  badges={
                    <>
                      {one.role === 'org:admin' && <Badge>Administrator</Badge>}
                      <State of={one} />
                    </>
                  }
                  facts={[
                    `created ${moment(one.createdAt)}${one.createdBy === null ? '' : ` by ${nameOf(one.createdBy)}`}`,
                    one.acceptedAt !== null &&
                      `accepted ${moment(one.acceptedAt)} by ${nameOf(one.acceptedBy)}`,
                    one.acceptedAt === null &&
                      `${one.expiresAt < Date.now() ? 'expired' : 'expires'} ${fromNow(one.expiresAt)}`,
                  ]}
                  actions={
                    one.acceptedAt === null && (
                      <Button
                        kind="danger"
                        aria-label={`Revoke invitation ${one.email ? `for ${one.email}` : `of ${moment(one.createdAt)}`}`}
                        onClick={() => setGoing(one)}
                      >
                        Revoke
                      </Button>
                    )
                  }
                />
              ))}
            </DataList>
          )
        }
      </Loaded>
      <ConfirmDialog
        open={going !== null}
        onClose={() => setGoing(null)}
        title="Revoke this invitation?"
        confirm="Revoke invitation"
        onConfirm={withdraw}
      >
        <p>
          The link {going?.email ? `for ${going.email} ` : ''}stops working. You can create another one at any
          time.
        </p>
      </ConfirmDialog>
    </Panel>
  );
}

function State({ of }: { of: Invitation }) {
  if (of.acceptedAt !== null) return <Badge tone="good">Accepted</Badge>;
  return of.expiresAt < Date.now() ? <Badge tone="warn">Expired</Badge> : <Badge tone="plain">Pending</Badge>;
}
