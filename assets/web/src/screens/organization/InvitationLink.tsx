/** A fresh invitation: its link, shown this once. */
import type { Invited } from '@/api/generated';
import { formatRelative } from '@/core/time/format';
import { Button } from '@/ui/Button';
import { FormNote } from '@/ui/Form';
import { Secret } from '@/ui/Secret';

export function InvitationLink({ invited, onDone }: { invited: Invited; onDone: () => void }) {
  const { email, expiresAt } = invited.invitation;
  return (
    <>
      <FormNote tone="warn">
        <p>
          Send this link to {email ?? 'whom it is for'}. It is shown this once, opens for whoever holds it,
          and ends {formatRelative(expiresAt)}.
        </p>
      </FormNote>
      <Secret label="Invitation link" value={invited.url} />
      <div>
        <Button kind="main" onClick={onDone}>
          I have taken it
        </Button>
      </div>
    </>
  );
}
