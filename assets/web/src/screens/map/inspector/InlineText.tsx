/**
 * A text that is edited where it is read: a field without a frame until one is in it. Enter (in longer texts with Ctrl
 * or Cmd) and leaving save; Escape puts back what was there.
 */
import { type KeyboardEvent, useId } from 'react';
import { type Field, useDraft } from './drafts';
import styles from './InlineText.module.css';

interface Props {
  label: string;
  /** Which field of which row. */
  id: string;
  value: string;
  revision: number;
  /** Who changed the row last, for the note that it has changed. */
  changedBy?: string | undefined;
  problemOf: (text: string) => string | undefined;
  save: (text: string, since: string, base: number) => void;
  placeholder?: string;
  readOnly?: boolean;
  /** Several lines. */
  long?: boolean;
  look?: 'title' | 'plain' | 'mono';
  /** Whether the label is seen, or read aloud alone. */
  hideLabel?: boolean;
}

export function InlineText(props: Props) {
  const { label, long = false, look = 'plain', hideLabel = false, readOnly = false, value } = props;
  const id = useId();
  const field = useDraft(props);
  const control = {
    id,
    className: [styles.input, styles[look]].join(' '),
    value: field.text,
    placeholder: readOnly ? '' : props.placeholder,
    'aria-invalid': field.problem ? true : undefined,
    'aria-describedby': field.problem || field.isOvertaken ? `${id}-note` : undefined,
    spellCheck: long,
    autoComplete: 'off',
    onBlur: () => void field.commit(),
    onKeyDown: keysOf(field, long),
  };
  return (
    <div className={styles.field}>
      {readOnly ? (
        <span className={hideLabel ? 'unseen' : styles.label}>{label}</span>
      ) : (
        <label htmlFor={id} className={hideLabel ? 'unseen' : styles.label}>
          {label}
        </label>
      )}
      {readOnly && <p className={[styles.input, styles[look]].join(' ')}>{value || '–'}</p>}
      {!readOnly && long && (
        <textarea {...control} rows={2} onChange={(event) => field.type(event.target.value)} />
      )}
      {!readOnly && !long && (
        <input {...control} type="text" onChange={(event) => field.type(event.target.value)} />
      )}
      {field.problem && (
        <p id={`${id}-note`} className={styles.problem} role="alert">
          {field.problem}
        </p>
      )}
      {!field.problem && field.isOvertaken && (
        <p id={`${id}-note`} className={styles.note} role="status">
          Changed{props.changedBy ? ` by ${props.changedBy}` : ''} to “{shortened(value)}” in the meantime.{' '}
          <button type="button" className={styles.take} onMouseDown={hold} onClick={field.restore}>
            Use this value
          </button>
        </p>
      )}
    </div>
  );
}

function keysOf(field: Field, long: boolean) {
  return (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    const { key, ctrlKey, metaKey, nativeEvent, currentTarget } = event;
    if (nativeEvent.isComposing) return;
    if (key === 'Enter' && (!long || ctrlKey || metaKey)) {
      event.preventDefault();
      // Where it cannot be saved the focus stays with what is to be mended.
      if (field.commit()) currentTarget.blur();
    } else if (key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      field.restore();
      // The draft is gone by the time that the field is left: there is nothing to save.
      currentTarget.blur();
    }
  };
}

/** A press on a button beside a field must not save it by taking the focus away. */
function hold(event: { preventDefault: () => void }): void {
  event.preventDefault();
}

function shortened(text: string): string {
  return [...text].length > 60 ? `${[...text].slice(0, 60).join('')} …` : text;
}
