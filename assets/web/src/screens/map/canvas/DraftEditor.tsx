/** A component that is about to be: its name and type, where it will stand. */
import { useRef, useState } from 'react';
import { addComponent, DEFAULT_TYPE } from './edits';
import { type Draft, useHold } from './hold';
import { useLooks } from './looks';
import { NameInput } from './NameEditor';
import styles from './NameEditor.module.css';
import { focusComponent } from './selection';

/** The type that was chosen last; who adds one often adds more of them. */
let lastType = DEFAULT_TYPE;

export function DraftEditor({ draft }: { draft: Draft }) {
  const { componentTypes } = useLooks();
  const [typeId, setTypeId] = useState(lastType);
  const type = useRef(typeId);
  const done = (name: string | null) => {
    useHold.setState({ draft: null });
    if (name === null) return focusComponent(draft.from);
    lastType = type.current;
    focusComponent(addComponent(draft, name, type.current));
  };
  return (
    <div
      className={styles.draft}
      style={{ transform: `translate(${draft.at.x}px, ${draft.at.y}px)` }}
      data-own-hands
    >
      <NameInput name="" label="Component name" onDone={done} />
      <select
        className={styles.type}
        aria-label="Component type"
        value={typeId}
        onChange={(event) => {
          type.current = event.target.value;
          setTypeId(event.target.value);
          const input = event.currentTarget.closest('[data-own-hands]')?.querySelector('input');
          input?.focus();
        }}
        onKeyDown={(event) => event.stopPropagation()}
      >
        {componentTypes.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </div>
  );
}
