/** A labeled input with its error message. */
import { Field as Base } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import styles from './Field.module.css';

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** The validation error. */
  problem?: string | undefined;
}

export function TextField({ label, hint, problem, ...rest }: FieldProps & ComponentProps<'input'>) {
  return (
    <Base.Root className={styles.field} invalid={Boolean(problem)} name={rest.name}>
      <Base.Label className={styles.label}>{label}</Base.Label>
      <Base.Control {...(rest as ComponentProps<typeof Base.Control>)} className={styles.input} />
      <FieldNotes hint={hint} problem={problem} />
    </Base.Root>
  );
}

export function TextArea({ label, hint, problem, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Base.Root className={styles.field} invalid={Boolean(problem)} name={rest.name}>
      <Base.Label className={styles.label}>{label}</Base.Label>
      <Base.Control render={<textarea {...rest} className={styles.input} />} />
      <FieldNotes hint={hint} problem={problem} />
    </Base.Root>
  );
}

/** A native select, which is accessible on all devices. */
export function SelectField({
  label,
  hint,
  problem,
  children,
  ...rest
}: FieldProps & ComponentProps<'select'>) {
  return (
    <Base.Root className={styles.field} invalid={Boolean(problem)} name={rest.name}>
      <Base.Label className={styles.label}>{label}</Base.Label>
      <Base.Control
        render={
          <select {...rest} className={styles.input}>
            {children}
          </select>
        }
      />
      <FieldNotes hint={hint} problem={problem} />
    </Base.Root>
  );
}

function FieldNotes({ hint, problem }: { hint?: ReactNode; problem: string | undefined }) {
  return (
    <>
      {hint && <Base.Description className={styles.hint}>{hint}</Base.Description>}
      {problem && (
        <Base.Error match className={styles.problem}>
          {problem}
        </Base.Error>
      )}
    </>
  );
}
