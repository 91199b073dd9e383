/** Invitations into the organization: links that open it once. */
import { useState } from 'react';
import {
  createInvitation,
  type Invitation,
  type Invited,
  OrgRole,
  withdrawInvitation,
} from '@/api/generated';
import { formatDateTime, formatRelative } from '@/core/time/format';
import { accountQueryKeys, invalidate, useInvitations, useMembers } from '@/data/accountQueries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { SelectField, TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { AdminsOnly } from './AdminsOnly';
import { InvitationLink } from './InvitationLink';
import type { OrganizationProps } from './organizationProps';

export function Invitations(props: OrganizationProps) {
  return (
    <AdminsOnly organization={props.organization} title="Invitations">
      <Invite {...props} />
      <List {...props} />
    </AdminsOnly>
  );
}

function Invite({ organization }: OrganizationProps) {
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
    void invalidate(accountQueryKeys.invitations(organization.id));
  });
  return (
    <Panel
      title="Invite somebody"
      about="Makes a link that you send yourself. Whoever opens it first, within seven days, joins."
    >
      {invited ? (
        <InvitationLink invited={invited} onDone={() => setInvited(null)} />
      ) : (
        <Form form={form}>
          <TextField
            label="E-mail address"
            name="email"
            type="email"
            autoComplete="off"
            hint="May stay empty. It is a note of whom the link is for; nothing is sent."
            problem={form.problem('email')}
          />
          <SelectField
            label="They join as"
            name="role"
            defaultValue="org:member"
            problem={form.problem('role')}
          >
            <option value="org:member">Member</option>
            <option value="org:admin">Administrator</option>
          </SelectField>
          <FormError text={form.problem()} />
          <div>
            <SubmitButton form={form}>Make a link</SubmitButton>
          </div>
        </Form>
      )}
    </Panel>
  );
}

function List({ organization }: OrganizationProps) {
  const query = useInvitations(organization.id);
  const members = useMembers(organization.id).data?.members ?? [];
  const [going, setGoing] = useState<Invitation | null>(null);
  const nameOf = (userId: number | null) =>
    members.find((member) => member.userId === userId)?.user.displayName ?? 'somebody who has left';
  const withdraw = async () => {
    if (!going) return;
    await withdrawInvitation(organization.id, going.id);
    await invalidate(accountQueryKeys.invitations(organization.id));
    showToast('The invitation is withdrawn.');
  };
  return (
    <Panel title="Invitations">
      <QueryResult query={query} what="the invitations">
        {({ invitations }) =>
          invitations.length === 0 ? (
            <EmptyList>None yet. Those that you make are listed here until they run out.</EmptyList>
          ) : (
            <DataList label="Invitations">
              {invitations.toReversed().map((one) => (
                <DataRow
                  key={one.id}
                  title={one.email ?? 'For whoever has the link'}
                  badges={
                    <>
                      {one.role === 'org:admin' && <Badge>Administrator</Badge>}
                      <State of={one} />
                    </>
                  }
                  facts={[
                    `made ${formatDateTime(one.createdAt)}${one.createdBy === null ? '' : ` by ${nameOf(one.createdBy)}`}`,
                    one.acceptedAt !== null &&
                      `accepted ${formatDateTime(one.acceptedAt)} by ${nameOf(one.acceptedBy)}`,
                    one.acceptedAt === null && `ends ${formatRelative(one.expiresAt)}`,
                  ]}
                  actions={
                    one.acceptedAt === null && (
                      <Button
                        kind="danger"
                        aria-label={`Withdraw the invitation ${one.email ? `for ${one.email}` : `of ${formatDateTime(one.createdAt)}`}`}
                        onClick={() => setGoing(one)}
                      >
                        Withdraw
                      </Button>
                    )
                  }
                />
              ))}
            </DataList>
          )
        }
      </QueryResult>
      <ConfirmDialog
        open={going !== null}
        onClose={() => setGoing(null)}
        title="Withdraw this invitation?"
        confirm="Withdraw it"
        onConfirm={withdraw}
      >
        <p>
          The link {going?.email ? `for ${going.email} ` : ''}stops working. You can make another one at any
          time.
        </p>
      </ConfirmDialog>
    </Panel>
  );
}

function State({ of }: { of: Invitation }) {
  if (of.acceptedAt !== null) return <Badge tone="good">Accepted</Badge>;
  return of.expiresAt < Date.now() ? <Badge tone="warn">Ran out</Badge> : <Badge tone="plain">Open</Badge>;
}
