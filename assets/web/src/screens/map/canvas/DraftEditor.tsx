/** The editor of a new component, with its name and type, at its future position. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { customTypeKey, customTypeValue, customTypeWithKey } from '@/core/model/customTypes';
import { guessType } from '@/core/model/guessType';
import { useAppearance } from '@/map/drawing/appearance';
import { addComponent, DEFAULT_COMPONENT_TYPE } from '@/map/edits/edits';
import { addGroup } from '@/map/edits/groups';
import { useCamera } from '@/map/state/camera';
import { panRectIntoView } from '@/map/state/framing';
import { type ComponentDraft, useInteraction } from '@/map/state/interaction';
import { focusComponent } from '@/map/state/selection';
import { InlineCombobox } from '@/ui/InlineCombobox';
import { TechnologyIcon } from '@/ui/TechnologyIcon';
import { TypeIcon } from '@/ui/TypeIcon';
import { NameInput, type NameInputHandle } from './NameEditor';
import styles from './NameEditor.module.css';

/** The type of the last component that was added without a connection, used as the default. */
let lastType = DEFAULT_COMPONENT_TYPE;

/** The size of the editor in pixels. */
const SIZE = { width: 220, height: 96 };

export function DraftEditor({ draft }: { draft: ComponentDraft }) {
  const { componentTypes, customTypes } = useAppearance();
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const input = useRef<NameInputHandle>(null);
  // The kind of the last component may have been deleted.
  const isKnown = !lastType.startsWith('kind:') || customTypeWithKey(customTypes, lastType);
  const fallback = draft.from === null && isKnown ? lastType : DEFAULT_COMPONENT_TYPE;
  const type = chosen ?? guessType(name, componentTypes) ?? fallback;
  const items = useMemo(
    () => [
      ...customTypes.map((type) => ({
        id: customTypeKey(type),
        name: type.name,
        hint: type.kind ? 'Kind' : 'Custom',
        icon: (
          <TechnologyIcon technologies={type.kind?.logo ? [type.kind.logo] : []} size={16}>
            <TypeIcon icon={type.icon} />
          </TechnologyIcon>
        ),
      })),
      ...componentTypes.map(({ id, name, icon }) => ({ id, name, icon: <TypeIcon icon={icon} /> })),
    ],
    [componentTypes, customTypes],
  );
  const isGroup = draft.parts !== undefined;
  const done = (final: string | null) => {
    useInteraction.setState({ draft: null, frame: null });
    if (final === null) return focusComponent(draft.from ?? draft.parts?.[0] ?? null);
    if (isGroup) return focusComponent(addGroup(draft, final));
    const typeId = chosen ?? guessType(final, componentTypes) ?? fallback;
    if (draft.from === null) lastType = typeId;
    const custom = customTypeWithKey(customTypes, typeId);
    focusComponent(addComponent(draft, final, custom?.typeId ?? typeId, custom && customTypeValue(custom)));
  };
  // When zoomed out, keep the fields at their normal size.
  const scale = useCamera(({ viewport }) => Math.max(1, 1 / viewport.zoom));
  // biome-ignore lint/correctness/useExhaustiveDependencies: pan only when the editor opens
  useEffect(
    () => panRectIntoView({ ...draft.at, width: SIZE.width * scale, height: SIZE.height * scale }),
    [draft.at],
  );
  return (
    <div
      className={styles.draft}
      style={{ transform: `translate(${draft.at.x}px, ${draft.at.y}px) scale(${scale})` }}
      data-own-pointer
    >
      <NameInput
        name={isGroup ? 'Group' : ''}
        label={isGroup ? 'Group name' : 'Component name'}
        onDone={done}
        onText={setName}
        handle={input}
      />
      {!isGroup && (
        <div className={styles.type}>
          <InlineCombobox
            label="Component type"
            items={items}
            value={type}
            onChange={setChosen}
            onEnter={() => input.current?.finish(false)}
            onEscape={() => input.current?.cancel()}
            onBlur={({ relatedTarget, currentTarget }) => {
              const draft = currentTarget.closest('[data-own-pointer]');
              if (!draft?.contains(relatedTarget)) input.current?.finish(true);
            }}
          />
        </div>
      )}
    </div>
  );
}
