/** A component that is about to be: its name and type, where it will stand. */
import { useRef, useState } from 'react';
import { useAppearance } from '@/map/drawing/appearance';
import { addComponent, DEFAULT_COMPONENT_TYPE } from '@/map/edits/edits';
import { type ComponentDraft, useInteraction } from '@/map/state/interaction';
import { focusComponent } from '@/map/state/selection';
import { NameInput } from './NameEditor';
import styles from './NameEditor.module.css';

/** The type that was chosen last; who adds one often adds more of them. */
let lastType = DEFAULT_COMPONENT_TYPE;

export function DraftEditor({ draft }: { draft: ComponentDraft }) {
  const { componentTypes } = useAppearance();
  const [typeId, setTypeId] = useState(lastType);
  const type = useRef(typeId);
  const done = (name: string | null) => {
    useInteraction.setState({ draft: null });
    if (name === null) return focusComponent(draft.from);
    lastType = type.current;
    focusComponent(addComponent(draft, name, type.current));
  };
  return (
    <div
      className={styles.draft}
      style={{ transform: `translate(${draft.at.x}px, ${draft.at.y}px)` }}
      data-own-pointer
    >
      <NameInput name="" label="Component name" onDone={done} />
      <select
        className={styles.type}
        aria-label="Component type"
        value={typeId}
        onChange={(event) => {
          type.current = event.target.value;
          setTypeId(event.target.value);
          const input = event.currentTarget.closest('[data-own-pointer]')?.querySelector('input');
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
