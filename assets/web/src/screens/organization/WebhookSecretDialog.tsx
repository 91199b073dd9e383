/** The new secret of a webhook, shown only once. */
import type { WebhookSecret } from '@/api/generated';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { FormNote } from '@/ui/Form';
import { Secret } from '@/ui/Secret';

export function WebhookSecretDialog({ created, onClose }: { created: WebhookSecret; onClose: () => void }) {
  return (
    <Dialog
      open
      required
      onClose={onClose}
      title={`Secret of ${created.webhook.name}`}
      footer={
        <Button kind="main" onClick={onClose}>
          Done
        </Button>
      }
    >
      <FormNote tone="warn">
        <p>
          The receiver verifies signatures with this secret. Copy it now. You won’t be able to see it again.
          {created.webhook.format !== 'standard' && ' Slack and Microsoft Teams do not need it.'}
        </p>
      </FormNote>
      <Secret label="Secret" value={created.secret} />
    </Dialog>
  );
}
