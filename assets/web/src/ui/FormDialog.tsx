/** A dialog with a form, a Cancel button and a submit button. */
import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from './Button';
import { Dialog } from './Dialog';
import styles from './Form.module.css';

interface Props {
  title: string;
  /** The label of the submit button. */
  submitLabel: string;
  onSubmit: () => void;
  onClose: () => void;
  /** Whether the form is being submitted. */
  busy?: boolean;
  disabled?: boolean;
  wide?: boolean;
  children: ReactNode;
}

export function FormDialog({ title, submitLabel, onSubmit, onClose, busy, disabled, wide, children }: Props) {
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="main" type="submit" form={id} busy={busy ?? false} disabled={disabled}>
        {submitLabel}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={title} footer={footer} wide={wide ?? false}>
      <form id={id} className={styles.form} noValidate onSubmit={submit}>
        {children}
      </form>
    </Dialog>
  );
}
