/** The components that are not in the open view. They are added with a button, or dragged onto the map. */
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { typeAppearance } from '@/core/model/lens';
import type { Model } from '@/core/model/model';
import { searchComponents } from '@/core/search/search';
import { addToView } from '@/map/edits/views';
import { COMPONENT_DRAG_TYPE } from '@/map/gestures/componentDrop';
import { useOpenView } from '@/map/state/openView';
import { useViewContents } from '@/map/state/viewContents';
import { IconButton } from '@/ui/Button';
import { TypeIcon } from '@/ui/TypeIcon';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { CollapsibleSection } from './CollapsibleSection';
import styles from './SidePanel.module.css';
import list from './ViewList.module.css';

/** Maximum number of components that are listed. */
const MAX_SHOWN = 60;

export function AddToView({ model }: { model: Model }) {
  const open = useOpenView();
  const contents = useViewContents();
  const canEdit = useCanEdit();
  const isPast = useWorkspace((state) => state.past !== null);
  const [query, setQuery] = useState('');
  const members = contents?.members;
  const outside = useMemo(() => {
    if (!members) return [];
    const found = query.trim() === '' ? byName(model) : searchComponents(model, query);
    return found.filter(({ id }) => !members.has(id));
  }, [model, members, query]);
  if (!open || !contents || isPast || !(canEdit || open.isPersonal)) return null;
  const left = model.rows.component.size - contents.members.size;
  if (left === 0) return null;
  return (
    <CollapsibleSection title="Not in this view" count={left}>
      <input
        type="search"
        className={list.filter}
        aria-label="Find a component to add"
        placeholder="Find a component to add"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <ul className={list.list} aria-label="Not in this view">
        {outside.slice(0, MAX_SHOWN).map((component) => (
          <li
            key={component.id}
            className={list.row}
            draggable
            title="Drag onto the map to add it to this view"
            onDragStart={(event) => {
              event.dataTransfer.setData(COMPONENT_DRAG_TYPE, component.id);
              event.dataTransfer.effectAllowed = 'copy';
            }}
          >
            <span className={list.icon}>
              <TypeIcon icon={typeAppearance(model, component).icon} />
            </span>
            <span className={list.link}>{component.name}</span>
            <IconButton
              label={`Add ${component.name} to this view`}
              icon={<Plus size={15} aria-hidden />}
              className={list.add}
              onClick={() => addToView([component.id])}
            />
          </li>
        ))}
      </ul>
      {outside.length === 0 && <p className={styles.hint}>No other component matches.</p>}
      {outside.length > MAX_SHOWN && (
        <p className={styles.hint}>
          … and {(outside.length - MAX_SHOWN).toLocaleString('en')} more. Type to find them.
        </p>
      )}
    </CollapsibleSection>
  );
}

function byName({ rows }: Model) {
  return [...rows.component.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
