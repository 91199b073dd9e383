/** The link of a new invitation, shown only once. */
import type { Invited } from '@/api/generated';
import { fromNow } from '@/core/time/moment';
import { Button } from '@/ui/Button';
import { Remark } from '@/ui/Form';
import { Secret } from '@/ui/Secret';

export function InvitationLink({ invited, onDone }: { invited: Invited; onDone: () => void }) {
  const { email, expiresAt } = invited.invitation;
  return (
    <>
      <Remark tone="warn">
        <p>
          Send this link to {email ?? 'the person you want to invite'}. Copy it now. You won’t be able to see
          it again. Anyone with the link can use it once. It expires {fromNow(expiresAt)}.
        </p>
      </Remark>
      <Secret label="Invitation link" value={invited.url} />
      <div>
        <Button kind="main" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  );
}
