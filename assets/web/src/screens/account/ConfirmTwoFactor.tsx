/** Takes the secret into an app, and shows by a first code that it has arrived. */
import { confirmSecondFactor, type NewSecondFactor } from '@/api/generated';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { Secret } from '@/ui/Secret';
import { Panel } from '@/ui/Sections';
import { useForm } from '@/ui/useForm';
import { QrCode } from './QrCode';

interface Props {
  fresh: NewSecondFactor;
  onConfirmed: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
}

export function ConfirmTwoFactor({ fresh, onConfirmed, onCancel }: Props) {
  const form = useForm(['code'], async ({ code }) => {
    onConfirmed((await confirmSecondFactor({ code: code.trim() })).recoveryCodes);
  });
  return (
    <Panel title="Set up a second factor" about="It is on as soon as you have typed the first code.">
      <h3>1. Scan this with your authenticator app</h3>
      <QrCode text={fresh.url} label="QR code of the secret, for an authenticator app" />
      <Secret label="Or type this secret into the app" value={inGroups(fresh.secret)} />
      <h3>2. Type the code that the app shows</h3>
      <Form form={form}>
        <TextField
          label="Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          maxLength={100}
          hint="Six digits. If it is refused, see whether the clock of your phone is right."
          problem={form.problem('code')}
        />
        <FormError text={form.problem()} />
        <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--gap-2)' }}>
          <SubmitButton form={form}>Switch it on</SubmitButton>
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

/** Fours are easier to type than thirty-two. Apps pass over the spaces. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
