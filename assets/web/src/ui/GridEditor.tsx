/** The editor of a cell. Blur saves, Escape cancels. */
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { GridColumn } from './Grid';
import styles from './Grid.module.css';
import type { Editing, Hands } from './useGrid';

interface Props {
  column: GridColumn<unknown>;
  editing: Editing;
  hands: Hands;
  name: string;
}

type Input = HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement;

export function GridEditor({ column, editing, hands, name }: Props) {
  const place = useRef<Input>(null);
  const problemId = useId();
  useEffect(() => {
    place.current?.focus();
    if (place.current && 'select' in place.current && !editing.replaces) place.current.select();
  }, [editing.replaces]);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      hands.cancel();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      hands.commit('stay');
    } else if (event.key === 'Tab') {
      event.preventDefault();
      hands.commit(event.shiftKey ? 'before' : 'after');
    }
  };
  const common = {
    ref: place,
    className: styles.editor,
    'aria-label': `${column.name} of ${name.slice(0, 80)}`,
    'aria-invalid': Boolean(editing.problem),
    'aria-describedby': editing.problem ? problemId : undefined,
    value: editing.text,
    onChange: (event: { target: { value: string } }) => hands.type(event.target.value),
    onBlur: () => hands.commit('leave'),
    onKeyDown,
  };
  return (
    <>
      {column.editor === 'long' && <textarea {...common} rows={4} data-long />}
      {column.editor === 'text' && <input {...common} />}
      {Array.isArray(column.editor) && (
        <select {...common}>
          {column.editor.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {editing.problem && (
        <span className={styles.problem} id={problemId} role="alert">
          {editing.problem}
        </span>
      )}
    </>
  );
}
