/** The link of a new invitation, shown only once. */
import type { CreatedInvitation } from '@/api/generated';
import { formatRelative } from '@/core/time/format';
import { useSignInConfig } from '@/data/queries';
import { Button } from '@/ui/Button';
import { FormNote } from '@/ui/Form';
import { Secret } from '@/ui/Secret';

export function InvitationLink({ invited, onDone }: { invited: CreatedInvitation; onDone: () => void }) {
  const { email, expiresAt } = invited.invitation;
  const sendsEmails = useSignInConfig().data?.emails ?? false;
  return (
    <>
      {invited.mailed ? (
        <FormNote tone="good">
          <p role="status" style={{ overflowWrap: 'anywhere' }}>
            The invitation is on its way to {email}. If it does not arrive, send this link yourself. You won’t
            be able to see it again. Anyone with the link can use it once. It expires{' '}
            {formatRelative(expiresAt)}.
          </p>
        </FormNote>
      ) : (
        <FormNote tone="warn">
          {email && sendsEmails && <p>No email was sent, because the limit of emails per day is reached.</p>}
          <p style={{ overflowWrap: 'anywhere' }}>
            Send this link to {email ?? 'the person you want to invite'}. Copy it now. You won’t be able to
            see it again. Anyone with the link can use it once. It expires {formatRelative(expiresAt)}.
          </p>
        </FormNote>
      )}
      <Secret label="Invitation link" value={invited.url} />
      <div>
        <Button kind="main" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  );
}
