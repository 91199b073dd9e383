/** Parts of forms: what is wrong with no field in particular, a remark, and the button that sends. */
import type { ReactNode } from 'react';
import { Button } from './Button';
import styles from './Form.module.css';
import type { FormState as State } from './useForm';

/** A form by `useForm`. The server says what is wrong, in its own words; the browser's bubbles stay away. */
export function Form({ form, children }: { form: State; children: ReactNode }) {
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      {children}
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

/** Something to know before one goes on. */
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

/** Sends the form; while the server asks for patience it counts down. */
export function SubmitButton({ form, kind = 'main', disabled = false, children }: SubmitProps) {
  return (
    <Button kind={kind} type="submit" busy={form.busy} disabled={disabled || form.wait > 0}>
      {form.wait > 0 ? `Try again in ${form.wait} s` : children}
    </Button>
  );
}
