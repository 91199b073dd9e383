/** Whether the email address of the account is confirmed, and a button to send a link that confirms it. */
import { useState } from 'react';
import { ApiError } from '@/api/errors';
import { type CurrentUser, sendEmailConfirmation } from '@/api/generated';
import { formatCount } from '@/core/text';
import { useSignInConfig } from '@/data/queries';
import { Button } from '@/ui/Button';
import { Badge } from '@/ui/DataList';
import { FormError } from '@/ui/Form';
import { useAction } from '@/ui/useAction';
import styles from './EmailState.module.css';

export function EmailState({ me }: { me: CurrentUser }) {
  const sendsEmails = useSignInConfig().data?.emails ?? false;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { busy, error, run } = useAction();
  const { email } = me;
  if (!email) return null;
  const send = () =>
    run(async () => {
      setSentTo(null);
      await sendEmailConfirmation({});
      setSentTo(email);
    });
  return (
    <div className={styles.state}>
      <div className={styles.row}>
        {me.emailConfirmed ? (
          <Badge tone="good">Confirmed</Badge>
        ) : (
          <>
            <Badge tone="warn">Not confirmed</Badge>
            {sendsEmails && (
              <Button busy={busy} onClick={() => void send()}>
                {sentTo === email ? 'Send again' : 'Send confirmation'}
              </Button>
            )}
          </>
        )}
      </div>
      {!me.emailConfirmed && (
        <p role="status" className={styles.note}>
          {sentTo === email
            ? `A link is on its way to ${email}. Open it within 24 hours.`
            : explanation(sendsEmails)}
        </p>
      )}
      <FormError text={error ? messageOf(error) : undefined} />
    </div>
  );
}

function explanation(sendsEmails: boolean): string {
  return sendsEmails
    ? 'You can reset a forgotten password only with a confirmed address.'
    : 'This server sends no emails. An administrator can confirm the address.';
}

function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 429) {
    const minutes = Math.ceil((error.retryAfter ?? 0) / 60_000);
    return `Too many emails were sent. Try again in ${formatCount(minutes, 'minute')}.`;
  }
  return error instanceof Error ? error.message : String(error);
}
