/** Invitations to the organization: one-time links. */
import { Fragment, useState } from 'react';
import {
  type CreatedInvitation,
  createInvitation,
  type Invitation,
  OrgRole,
  revokeInvitation,
} from '@/api/generated';
import { formatDateTime } from '@/core/time/format';
import { accountQueryKeys, invalidate, useInvitations, useMembers } from '@/data/accountQueries';
import { useSignInConfig } from '@/data/queries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { SelectField, TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { RelativeTime } from '@/ui/RelativeTime';
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
  const [invited, setInvited] = useState<CreatedInvitation | null>(null);
  const sendsEmails = useSignInConfig().data?.emails ?? false;
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
      title="Invite people"
      about={
        sendsEmails
          ? 'Creates a one-time invite link and sends it to the email address. Without an address, you send the link yourself. It expires in 7 days.'
          : 'Creates a one-time invite link that you send yourself. It expires in 7 days.'
      }
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
            hint={
              sendsEmails
                ? 'Optional. The link is sent to this address.'
                : 'Optional. A note of who the link is for. No email is sent.'
            }
          />
          <SelectField label="Role" name="role" defaultValue="org:member">
            <option value="org:member">Member</option>
            <option value="org:admin">Administrator</option>
          </SelectField>
          <FormError text={form.problem()} />
          <div>
            <SubmitButton form={form}>Create invite link</SubmitButton>
          </div>
        </Form>
      )}
    </Panel>
  );
}

function List({ organization }: OrganizationProps) {
  const query = useInvitations(organization.id);
  const members = useMembers(organization.id).data?.members ?? [];
  const [selected, setSelected] = useState<Invitation | null>(null);
  const nameOf = (userId: number | null) =>
    members.find((member) => member.userId === userId)?.user.displayName ?? 'a former member';
  const withdraw = async () => {
    if (!selected) return;
    await revokeInvitation(organization.id, selected.id);
    await invalidate(accountQueryKeys.invitations(organization.id));
    showToast('Invitation revoked');
  };
  return (
    <Panel title="Invitations">
      <QueryResult query={query} what="invitations">
        {({ invitations }) =>
          invitations.length === 0 ? (
            <EmptyList>No invitations</EmptyList>
          ) : (
            <DataList label="Invitations">
              {invitations.toReversed().map((invitation) => (
                <DataRow
                  key={invitation.id}
                  title={invitation.email ?? 'Anyone with the link'}
                  badges={
                    <>
                      {invitation.role === 'org:admin' && <Badge>Administrator</Badge>}
                      <State of={invitation} />
                    </>
                  }
                  facts={[
                    <Fragment key="created">
                      created <RelativeTime time={invitation.createdAt} />
                      {invitation.createdBy !== null && ` by ${nameOf(invitation.createdBy)}`}
                    </Fragment>,
                    invitation.acceptedAt === null ? (
                      <Fragment key="expires">
                        {invitation.expiresAt < Date.now() ? 'expired' : 'expires'}{' '}
                        <RelativeTime time={invitation.expiresAt} />
                      </Fragment>
                    ) : (
                      <Fragment key="accepted">
                        accepted <RelativeTime time={invitation.acceptedAt} /> by{' '}
                        {nameOf(invitation.acceptedBy)}
                      </Fragment>
                    ),
                  ]}
                  actions={
                    invitation.acceptedAt === null && (
                      <Button
                        kind="danger"
                        aria-label={`Revoke invitation ${invitation.email ? `for ${invitation.email}` : `of ${formatDateTime(invitation.createdAt)}`}`}
                        onClick={() => setSelected(invitation)}
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
      </QueryResult>
      <ConfirmDialog
        open={selected !== null}
        onClose={() => setSelected(null)}
        title="Revoke this invitation?"
        confirm="Revoke invitation"
        onConfirm={withdraw}
      >
        <p>
          The link {selected?.email ? `for ${selected.email} ` : ''}stops working. You can create another one
          at any time.
        </p>
      </ConfirmDialog>
    </Panel>
  );
}

function State({ of }: { of: Invitation }) {
  if (of.acceptedAt !== null) return <Badge tone="good">Accepted</Badge>;
  return of.expiresAt < Date.now() ? <Badge tone="warn">Expired</Badge> : <Badge tone="plain">Pending</Badge>;
}
