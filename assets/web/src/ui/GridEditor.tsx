/** The editor of a cell. Blur saves, Escape cancels. */

import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { truncate } from '@/core/text';
import styles from './Grid.module.css';
import type { GridColumn } from './gridTypes';
import type { Editing, GridHandlers } from './useGrid';

interface Props {
  column: GridColumn<unknown>;
  editing: Editing;
  handlers: GridHandlers;
  name: string;
}

type Input = HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement;

export function GridEditor({ column, editing, handlers, name }: Props) {
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
      handlers.cancel();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      handlers.commit('stay');
    } else if (event.key === 'Tab') {
      event.preventDefault();
      handlers.commit(event.shiftKey ? 'before' : 'after');
    }
  };
  const common = {
    ref: place,
    className: styles.editor,
    'aria-label': `${column.name} of ${truncate(name, 80)}`,
    'aria-invalid': Boolean(editing.problem),
    'aria-describedby': editing.problem ? problemId : undefined,
    value: editing.text,
    onChange: (event: { target: { value: string } }) => handlers.type(event.target.value),
    onBlur: () => handlers.commit('leave'),
    onKeyDown,
  };
  return (
    <>
      {column.editor === 'long' && <textarea {...common} rows={4} data-long />}
      {column.editor === 'text' && <input {...common} />}
      {editing.choices && (
        <select {...common}>
          {editing.choices.map(({ id, name }) => (
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
