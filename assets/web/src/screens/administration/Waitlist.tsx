/** People who requested an account. */
import { Fragment, useState } from 'react';
import {
  type CreatedInvitation,
  inviteFromWaitlist,
  type OrgRole,
  removeFromWaitlist,
  type WaitlistEntry,
} from '@/api/generated';
import { renewSession, useSession } from '@/api/session';
import { accountQueryKeys, invalidate, useWaitlist } from '@/data/accountQueries';
import { useOrganizations, useSignInConfig } from '@/data/queries';
import { InvitationLink } from '@/screens/organization/InvitationLink';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { Dialog } from '@/ui/Dialog';
import { SelectField } from '@/ui/Field';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { RelativeTime } from '@/ui/RelativeTime';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';

export function Waitlist() {
  const isOpen = useSignInConfig().data?.waitlistOpen;
  const [inviting, setInviting] = useState<WaitlistEntry | null>(null);
  const [selected, setSelected] = useState<WaitlistEntry | null>(null);
  const remove = async () => {
    if (!selected) return;
    await removeFromWaitlist(selected.id);
    await invalidate(accountQueryKeys.waitlist);
    showToast(`Removed ${selected.email} from the waitlist`);
  };
  return (
    <Panel
      title="Waitlist"
      about={
        isOpen
          ? 'People can request an account from the sign-in page.'
          : 'The waitlist is closed. Turn on the setting waitlist.open to let people request an account.'
      }
    >
      <QueryResult query={useWaitlist()} what="the waitlist">
        {({ entries }) =>
          entries.length === 0 ? (
            <EmptyList>The waitlist is empty.</EmptyList>
          ) : (
            <DataList label="Waitlist">
              {entries.map((entry) => (
                <DataRow
                  key={entry.id}
                  title={entry.email}
                  badges={
                    entry.invitedAt !== null && (
                      <Badge tone="good">
                        Invited <RelativeTime time={entry.invitedAt} />
                      </Badge>
                    )
                  }
                  facts={[
                    entry.name,
                    entry.company,
                    <Fragment key="requested">
                      requested <RelativeTime time={entry.createdAt} />
                    </Fragment>,
                  ]}
                  text={entry.note}
                  actions={
                    <>
                      <Button aria-label={`Invite ${entry.email}`} onClick={() => setInviting(entry)}>
                        {entry.invitedAt === null ? 'Invite' : 'Invite again'}
                      </Button>
                      <Button
                        kind="danger"
                        aria-label={`Remove ${entry.email}`}
                        onClick={() => setSelected(entry)}
                      >
                        Remove
                      </Button>
                    </>
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
        title="Remove from the waitlist?"
        confirm="Remove from waitlist"
        onConfirm={remove}
      >
        <p>
          The request of {selected?.email} is deleted. They can request access again, and an invitation they
          already have still works.
        </p>
      </ConfirmDialog>
      <Dialog open={inviting !== null} onClose={() => setInviting(null)} title={`Invite ${inviting?.email}`}>
        {inviting && <Invite entry={inviting} onDone={() => setInviting(null)} />}
      </Dialog>
    </Panel>
  );
}

function Invite({ entry, onDone }: { entry: WaitlistEntry; onDone: () => void }) {
  const active = useSession((state) => state.session?.orgId);
  const organizations = useOrganizations().data?.organizations ?? [];
  const [invited, setInvited] = useState<CreatedInvitation | null>(null);
  const [orgId, setOrgId] = useState(active ?? organizations[0]?.id ?? '');
  const isOrgAdmin = organizations.find((organization) => organization.id === orgId)?.role === 'org:admin';
  const form = useForm(['role'], async ({ role }) => {
    // Invitations are for the active organization.
    if (orgId !== active) await renewSession(orgId);
    setInvited(await inviteFromWaitlist(entry.id, { orgId, role: role as OrgRole }));
    void invalidate(accountQueryKeys.waitlist);
  });
  if (invited) return <InvitationLink invited={invited} onDone={onDone} />;
  if (organizations.length === 0) {
    return (
      <FormNote tone="warn">
        <p>
          Invitations are for an organization, and you are not a member of any. Create an organization or ask
          for an invitation.
        </p>
      </FormNote>
    );
  }
  return (
    <Form form={form}>
      <SelectField
        label="Organization"
        name="orgId"
        value={orgId}
        onChange={(event) => setOrgId(event.target.value)}
      >
        {organizations.map((organization) => (
          <option key={organization.id} value={organization.id}>
            {organization.name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Role"
        name="role"
        hint={isOrgAdmin ? undefined : 'Only organization administrators can invite administrators.'}
      >
        <option value="org:member">Member</option>
        {isOrgAdmin && <option value="org:admin">Administrator</option>}
      </SelectField>
      <FormError text={form.problem()} />
      <SubmitButton form={form}>Create invite link</SubmitButton>
    </Form>
  );
}
