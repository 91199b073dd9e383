/** A labeled input with its error message. */
import { Field as Base } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import styles from './Field.module.css';
import { useFieldProblem } from './fieldProblems';

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** The validation error. Default: that of the form around the field. */
  problem?: string | undefined;
}

export function TextField({ label, hint, problem: own, ...rest }: FieldProps & ComponentProps<'input'>) {
  const problem = useFieldProblem(own, rest.name);
  return (
    <Base.Root className={styles.field} invalid={Boolean(problem)} name={rest.name}>
      <Base.Label className={styles.label}>{label}</Base.Label>
      <Base.Control
        {...(rest as ComponentProps<typeof Base.Control>)}
        className={styles.input}
        render={<input aria-invalid={isInvalid(problem)} />}
      />
      <FieldNotes hint={hint} problem={problem} />
    </Base.Root>
  );
}

export function TextArea({ label, hint, problem: own, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  const problem = useFieldProblem(own, rest.name);
  return (
    <Base.Root className={styles.field} invalid={Boolean(problem)} name={rest.name}>
      <Base.Label className={styles.label}>{label}</Base.Label>
      <Base.Control
        render={<textarea {...rest} className={styles.input} aria-invalid={isInvalid(problem)} />}
      />
      <FieldNotes hint={hint} problem={problem} />
    </Base.Root>
  );
}

/** A native select, which is accessible on all devices. */
export function SelectField({
  label,
  hint,
  problem: own,
  children,
  ...rest
}: FieldProps & ComponentProps<'select'>) {
  const problem = useFieldProblem(own, rest.name);
  return (
    <Base.Root className={styles.field} invalid={Boolean(problem)} name={rest.name}>
      <Base.Label className={styles.label}>{label}</Base.Label>
      <Base.Control
        render={
          <select {...rest} className={styles.input} aria-invalid={isInvalid(problem)}>
            {children}
          </select>
        }
      />
      <FieldNotes hint={hint} problem={problem} />
    </Base.Root>
  );
}

/** A checkbox with its label. */
export function CheckField({ label, ...rest }: { label: ReactNode } & ComponentProps<'input'>) {
  return (
    <label className={styles.check}>
      <input {...rest} type="checkbox" />
      {label}
    </label>
  );
}

/** Related fields with a heading, such as several checkboxes. */
export function FieldGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>{label}</legend>
      {children}
    </fieldset>
  );
}

/**
 * The value of `aria-invalid`: a field is invalid if it shows why. Base UI would also set it on Enter, by the rules of the
 * browser, before the server has answered.
 */
function isInvalid(problem: string | undefined): true | undefined {
  return problem ? true : undefined;
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
