/**
 * A text edited in place, without a frame until it is focused. Enter (Ctrl+Enter or Cmd+Enter in multiline texts) and
 * blur save; Escape restores the previous value.
 */

import { type KeyboardEvent, useId } from 'react';
import { truncate } from '@/core/text';
import { type Field, useDraft } from './drafts';
import styles from './InlineText.module.css';
import { type Suggestions, useSuggestions } from './useSuggestions';

/** Maximum length of another user's value in a message. */
const MAX_SHOWN_VALUE = 60;

interface Props {
  label: string;
  /** The field and row, for example `component/web/name`. */
  id: string;
  value: string;
  revision: number;
  /** The user who last changed the row, for the note about a conflicting change. */
  changedBy?: string | undefined;
  problemOf: (text: string) => string | undefined;
  save: (text: string, since: string, base: number) => void;
  placeholder?: string;
  readOnly?: boolean;
  /** Whether the text is multiline. */
  long?: boolean;
  /** The input type of texts of one line. */
  type?: 'text' | 'date';
  look?: 'title' | 'plain' | 'mono';
  /** Whether the label is for screen readers only. */
  hideLabel?: boolean;
  /** Suggestions for texts of one line. */
  suggestions?: Suggestions;
}

export function InlineText(props: Props) {
  const { label, long = false, look = 'plain', hideLabel = false, readOnly = false, value } = props;
  const id = useId();
  const field = useDraft(props);
  const suggested = useSuggestions({ ...field, id, suggestions: props.suggestions });
  const save = keysOf(field, long);
  const control = {
    id,
    className: [styles.input, styles[look]].join(' '),
    value: field.text,
    placeholder: readOnly ? '' : props.placeholder,
    'aria-invalid': field.problem ? true : undefined,
    'aria-describedby': field.problem || field.isOvertaken ? `${id}-note` : undefined,
    spellCheck: long,
    autoComplete: 'off',
    onBlur: () => {
      suggested.onBlur();
      field.commit();
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      if (event.nativeEvent.isComposing || !suggested.onKeyDown(event)) save(event);
    },
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
        <input
          {...control}
          {...suggested.input}
          type={props.type ?? 'text'}
          onChange={(event) => field.type(event.target.value)}
        />
      )}
      {!readOnly && suggested.list}
      {field.problem && (
        <p id={`${id}-note`} className={styles.problem} role="alert">
          {field.problem}
        </p>
      )}
      {!field.problem && field.isOvertaken && (
        <p id={`${id}-note`} className={styles.note} role="status">
          Changed{props.changedBy ? ` by ${props.changedBy}` : ''} to “{truncate(value, MAX_SHOWN_VALUE)}” in
          the meantime.{' '}
          <button type="button" className={styles.take} onMouseDown={keepFocus} onClick={field.restore}>
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
      // If the value cannot be saved, keep the focus in the field.
      if (field.commit()) currentTarget.blur();
    } else if (key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      field.restore();
      // The draft is removed before the field loses the focus, so nothing is saved.
      currentTarget.blur();
    }
  };
}

/** Keeps the focus in the field when an adjacent button is pressed, to avoid saving. */
function keepFocus(event: { preventDefault: () => void }): void {
  event.preventDefault();
}
