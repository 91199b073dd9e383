/** The name of a component, being edited where it stands. */
import { useEffect, useRef, useState } from 'react';
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
  /** The name, or null when it is to stay as it was. */
  onDone: (name: string | null) => void;
}

/** Enter and leaving it take what was typed, Esc does not. What cannot be a name stays, with the reason. */
export function NameInput({ name, label, onDone }: Props) {
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
          setProblem(undefined);
        }}
        onBlur={(event) => {
          // The type of a new component is chosen beside its name: going there is not leaving.
          const beside = event.relatedTarget?.closest('[data-own-pointer]');
          if (!beside?.contains(event.currentTarget)) finish(true);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(false);
          if (event.key === 'Escape') {
            isDone.current = true;
            onDone(null);
          }
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
