/** Requests an account while the waitlist is open. */
import { useState } from 'react';
import { joinWaitlist } from '@/api/generated';
import { Button } from '@/ui/Button';
import { TextArea, TextField } from '@/ui/Field';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { useForm } from '@/ui/useForm';
import styles from './SignInLayout.module.css';

export function WaitlistForm() {
  const [step, setStep] = useState<'closed' | 'open' | 'done'>('closed');
  const form = useForm(['email', 'name', 'company', 'note'], async ({ email, ...rest }) => {
    const filledFields = Object.fromEntries(Object.entries(rest).filter(([, text]) => text.trim()));
    await joinWaitlist({ email, ...filledFields });
    setStep('done');
  });
  return (
    <div className={styles.foot}>
      {step === 'closed' && (
        <Button kind="quiet" onClick={() => setStep('open')}>
          No account? Request access
        </Button>
      )}
      {step === 'done' && (
        <FormNote tone="good">
          <p role="status">You are on the waitlist. An administrator will send you an invitation.</p>
        </FormNote>
      )}
      {step === 'open' && (
        <Form form={form}>
          <h2>Request access</h2>
          <TextField label="Email" name="email" type="email" autoComplete="email" autoFocus />
          <TextField label="Your name (optional)" name="name" autoComplete="name" />
          <TextField label="Company (optional)" name="company" autoComplete="organization" />
          <TextArea label="What you want to map (optional)" name="note" />
          <FormError text={form.problem()} />
          <SubmitButton form={form}>Request access</SubmitButton>
        </Form>
      )}
    </div>
  );
}
