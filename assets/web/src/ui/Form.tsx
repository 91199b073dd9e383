/** Parts of forms: the form-level error, hints and the submit button. */
import type { ReactNode } from 'react';
import { formatCount } from '@/core/text';
import { Button } from './Button';
import styles from './Form.module.css';
import { FieldProblems } from './fieldProblems';
import type { FormState as State } from './useForm';

/** A form controlled by `useForm`. Its fields show validation errors of the server instead of the browser. */
export function Form({ form, children }: { form: State; children: ReactNode }) {
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      <FieldProblems value={form.problem}>{children}</FieldProblems>
    </form>
  );
}

export function FormError({ text }: { text: string | undefined }) {
  return text ? (
    <p role="alert" className={styles.problem}>
      {text}
    </p>
  ) : null;
}

/** A note above a form. */
export function FormNote({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'warn' | 'good';
  children: ReactNode;
}) {
  return (
    <div className={styles.note} data-tone={tone}>
      {children}
    </div>
  );
}

interface SubmitProps {
  form: State;
  kind?: 'main' | 'plain' | 'danger';
  disabled?: boolean;
  children: ReactNode;
}

/** The submit button. Counts down while rate limited. */
export function SubmitButton({ form, kind = 'main', disabled = false, children }: SubmitProps) {
  return (
    <Button kind={kind} type="submit" busy={form.busy} disabled={disabled || form.wait > 0}>
      {form.wait > 0 ? `Try again in ${formatCount(form.wait, 'second')}` : children}
    </Button>
  );
}
