/** Shows the secret for an authenticator app and asks for a first code to confirm the setup. */
import { confirmSecondFactor, type NewSecondFactor } from '@/api/generated';
import { MAX_CODE_CHARS } from '@/core/limits';
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
    <Panel title="Set up two-factor authentication" about="Turned on after you enter the first code.">
      <h3>1. Scan this QR code with your authenticator app</h3>
      <QrCode text={fresh.url} label="QR code for the authenticator app" />
      <Secret label="Or enter this secret in the app" value={inGroups(fresh.secret)} />
      <h3>2. Enter the code from the app</h3>
      <Form form={form}>
        <TextField
          label="Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          maxLength={MAX_CODE_CHARS}
          hint="Six digits. If it’s rejected, check that your phone’s clock is correct."
        />
        <FormError text={form.problem()} />
        <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--gap-2)' }}>
          <SubmitButton form={form}>Turn on</SubmitButton>
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

/** Groups of four are easier to type than 32 characters. Authenticator apps ignore spaces. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
