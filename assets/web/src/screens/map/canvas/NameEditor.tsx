/** Edits the name of a component on the map. */
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { nameProblem } from '@/core/model/validation';
import { rename } from '@/map/edits/edits';
import { focusComponent } from '@/map/state/selection';
import { useView } from '@/map/state/view';
import { useWorkspace } from '@/workspace/store';
import styles from './NameEditor.module.css';

export function NameEditor({ id }: { id: string }) {
  const name = useWorkspace((state) => state.rows?.component.get(id)?.name ?? '');
  const done = (text: string | null) => {
    if (text !== null) rename(id, text);
    useView.setState({ renaming: null });
    focusComponent(id);
  };
  return <NameInput name={name} label={`New name of ${name}`} onDone={done} />;
}

interface Props {
  name: string;
  label: string;
  /** Called with the new name, or with null if it is unchanged. */
  onDone: (name: string | null) => void;
  onText?: (text: string) => void;
  handle?: Ref<NameInputHandle>;
}

export interface NameInputHandle {
  /** Submits the input. If `isLeaving`, an empty name cancels instead of showing an error. */
  finish: (isLeaving: boolean) => void;
  cancel: () => void;
}

/** Enter and blur save, Escape cancels. An invalid name stays in the field with an error. */
export function NameInput({ name, label, onDone, onText, handle }: Props) {
  const [text, setText] = useState(name);
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    input.current?.focus({ preventScroll: true });
    input.current?.select();
  }, []);
  const finish = (isLeaving: boolean) => {
    if (isDone.current) return;
    const wrong = nameProblem(text);
    if (wrong && !(isLeaving && text.trim() === '')) return setProblem(wrong);
    isDone.current = true;
    onDone(wrong ? null : text.trim());
  };
  const cancel = () => {
    isDone.current = true;
    onDone(null);
  };
  useImperativeHandle(handle, () => ({ finish, cancel }));
  return (
    <div className={styles.editor} data-own-pointer>
      <input
        ref={input}
        className={styles.input}
        aria-label={label}
        aria-invalid={Boolean(problem)}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onText?.(event.target.value);
          setProblem(undefined);
        }}
        onBlur={(event) => {
          // Moving the focus to the type of a new component does not end editing.
          const beside = event.relatedTarget?.closest('[data-own-pointer]');
          if (!beside?.contains(event.currentTarget)) finish(true);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(false);
          if (event.key === 'Escape') cancel();
        }}
      />
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
