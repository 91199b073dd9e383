/** Strangers who asked for an account. */
import { useState } from 'react';
import {
  type Entry,
  type Invited,
  inviteFromWaitlist,
  type OrgRole,
  removeFromWaitlist,
} from '@/api/generated';
import { renewSession, useSession } from '@/api/session';
import { formatDateTime, formatRelative } from '@/core/time/format';
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
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';

export function Waitlist() {
  const isOpen = useSignInConfig().data?.waitlistOpen;
  const [inviting, setInviting] = useState<Entry | null>(null);
  const [going, setGoing] = useState<Entry | null>(null);
  const remove = async () => {
    if (!going) return;
    await removeFromWaitlist(going.id);
    await invalidate(accountQueryKeys.waitlist);
    showToast(`${going.email} is off the waitlist.`);
  };
  return (
    <Panel
      title="Waitlist"
      about={
        isOpen
          ? 'Strangers may ask for an account on the page to sign in.'
          : 'It is closed: nobody can ask for an account. The setting waitlist.open opens it.'
      }
    >
      <QueryResult query={useWaitlist()} what="the waitlist">
        {({ entries }) =>
          entries.length === 0 ? (
            <EmptyList>Nobody waits.</EmptyList>
          ) : (
            <DataList label="Waitlist">
              {entries.map((entry) => (
                <DataRow
                  key={entry.id}
                  title={entry.email}
                  badges={
                    entry.invitedAt !== null && (
                      <Badge tone="good">Invited {formatRelative(entry.invitedAt)}</Badge>
                    )
                  }
                  facts={[entry.name, entry.company, `asked ${formatDateTime(entry.createdAt)}`]}
                  text={entry.note}
                  actions={
                    <>
                      <Button aria-label={`Invite ${entry.email}`} onClick={() => setInviting(entry)}>
                        {entry.invitedAt === null ? 'Invite' : 'Invite again'}
                      </Button>
                      <Button
                        kind="danger"
                        aria-label={`Remove ${entry.email}`}
                        onClick={() => setGoing(entry)}
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
        open={going !== null}
        onClose={() => setGoing(null)}
        title="Remove from the waitlist?"
        confirm="Remove"
        onConfirm={remove}
      >
        <p>
          What {going?.email} wrote goes, too. They may ask again; an invitation that they were given still
          works.
        </p>
      </ConfirmDialog>
      <Dialog open={inviting !== null} onClose={() => setInviting(null)} title={`Invite ${inviting?.email}`}>
        {inviting && <Invite entry={inviting} onDone={() => setInviting(null)} />}
      </Dialog>
    </Panel>
  );
}

function Invite({ entry, onDone }: { entry: Entry; onDone: () => void }) {
  const active = useSession((state) => state.session?.orgId);
  const organizations = useOrganizations().data?.organizations ?? [];
  const [invited, setInvited] = useState<Invited | null>(null);
  const [orgId, setOrgId] = useState(active ?? organizations[0]?.id ?? '');
  const isOrgAdmin = organizations.find((one) => one.id === orgId)?.role === 'org:admin';
  const form = useForm(['role'], async ({ role }) => {
    // An invitation is into the organization that is active.
    if (orgId !== active) await renewSession(orgId);
    setInvited(await inviteFromWaitlist(entry.id, { orgId, role: role as OrgRole }));
    void invalidate(accountQueryKeys.waitlist);
  });
  if (invited) return <InvitationLink invited={invited} onDone={onDone} />;
  if (organizations.length === 0) {
    return (
      <FormNote tone="warn">
        <p>An invitation leads into an organization, and you are in none. Found one, or ask to be invited.</p>
      </FormNote>
    );
  }
  return (
    <Form form={form}>
      <SelectField
        label="Into the organization"
        name="orgId"
        value={orgId}
        onChange={(event) => setOrgId(event.target.value)}
      >
        {organizations.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="They join as"
        name="role"
        hint={isOrgAdmin ? undefined : 'Only administrators of the organization invite others as such.'}
        problem={form.problem('role')}
      >
        <option value="org:member">Member</option>
        {isOrgAdmin && <option value="org:admin">Administrator</option>}
      </SelectField>
      <FormError text={form.problem()} />
      <SubmitButton form={form}>Make a link</SubmitButton>
    </Form>
  );
}
