/** The inspector: details of the selection, or of the workspace if nothing is selected. */
import { PanelRightOpen, X } from 'lucide-react';
import { type CSSProperties, useDeferredValue, useEffect, useRef } from 'react';
import type { Model } from '@/core/model/model';
import { panIntoView, panRectIntoView } from '@/map/state/framing';
import { useInteraction } from '@/map/state/interaction';
import { placedNote } from '@/map/state/notes';
import {
  clampInspectorWidth,
  hideInspector,
  INSPECTOR_ID,
  isInspectorVisible,
  MAX_INSPECTOR_WIDTH,
  MIN_INSPECTOR_WIDTH,
  showInspector,
} from '@/map/state/panels';
import { setSelection, useView } from '@/map/state/view';
import { IconButton } from '@/ui/Button';
import { isNarrow } from '@/ui/breakpoints';
import { ResizeHandle } from '@/ui/ResizeHandle';
import { useCanEdit, useModel } from '@/workspace/model';
import { ComponentDetails } from './ComponentDetails';
import styles from './Inspector.module.css';
import { MultipleSelection } from './MultipleSelection';
import { NoteDetails } from './NoteDetails';
import { RelationshipDetails } from './RelationshipDetails';
import { WorkspaceDetails } from './WorkspaceDetails';

export function Inspector() {
  const model = useModel();
  const isOpen = useVisibility();
  const width = useView((view) => view.inspectorWidth);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen || isNarrow()) return;
    const timer = setTimeout(revealSelection, DOUBLE_CLICK_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
  if (!isOpen) {
    return (
      <IconButton
        label="Show inspector"
        icon={<PanelRightOpen size={18} aria-hidden />}
        className={styles.open}
        data-tools
        onClick={showInspector}
      />
    );
  }
  return (
    <aside
      ref={panel}
      id={INSPECTOR_ID}
      className={styles.inspector}
      style={width === null ? undefined : ({ '--inspector-width': `${width}px` } as CSSProperties)}
      aria-label="Inspector"
      onKeyDown={leaveOnEscape}
    >
      <ResizeHandle
        label="Inspector width"
        panel={panel}
        min={MIN_INSPECTOR_WIDTH}
        max={MAX_INSPECTOR_WIDTH}
        onResize={(to) => useView.setState({ inspectorWidth: clampInspectorWidth(to) })}
        onReset={() => useView.setState({ inspectorWidth: null })}
      />
      <IconButton
        label="Hide inspector"
        icon={<X size={18} aria-hidden />}
        className={styles.close}
        onClick={hideInspector}
      />
      {model && <Selected model={model} />}
    </aside>
  );
}

/**
 * Whether the inspector is shown. If a drag selects an item, the inspector opens when the drag ends, so that the map
 * does not move during the drag.
 */
function useVisibility(): boolean {
  const isWanted = useView(isInspectorVisible);
  const isDragging = useInteraction(
    ({ moving, movingNotes, frame }) => moving !== null || movingNotes !== null || frame !== null,
  );
  const last = useRef(isWanted && !isDragging);
  if (!isDragging || !isWanted) last.current = isWanted;
  return last.current;
}

/** Time in milliseconds during which a second click must hit the same item. */
const DOUBLE_CLICK_MS = 400;

/** A newly opened inspector may cover the selected item. */
function revealSelection(): void {
  const { selectedComponents, selectedNotes } = useView.getState();
  const [id] = selectedComponents;
  const [note] = selectedNotes;
  if (selectedComponents.size + selectedNotes.size !== 1 || useInteraction.getState().moving) return;
  if (id !== undefined) panIntoView(id);
  const rect = placedNote(note ?? '')?.rect;
  if (rect) panRectIntoView(rect);
}

/** Escape moves the focus out of a field of the inspector before it clears the selection. */
function leaveOnEscape(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Escape' || !(event.target instanceof HTMLElement)) return;
  event.target.blur();
  event.stopPropagation();
}

/** Defers updates during a drag, because rendering the details takes longer than a frame. */
function useWhenNotDragging<T>(value: T): T {
  const isMoving = useInteraction(({ moving, movingNotes }) => moving !== null || movingNotes !== null);
  const later = useDeferredValue(value);
  return isMoving ? later : value;
}

function Selected({ model }: { model: Model }) {
  const canEdit = useCanEdit();
  const componentIds = useWhenNotDragging(useView((view) => view.selectedComponents));
  const relationshipIds = useWhenNotDragging(useView((view) => view.selectedRelationships));
  const noteIds = useWhenNotDragging(useView((view) => view.selectedNotes));
  const { rows } = model;
  const components = [...componentIds].flatMap((id) => rows.component.get(id) ?? []);
  const relationships = [...relationshipIds].flatMap((id) => rows.relationship.get(id) ?? []);
  const notes = [...noteIds].flatMap((id) => rows.note.get(id) ?? []);
  const [component] = components;
  const [note] = notes;
  const [relationship] = relationships;
  const detailProps = { model, readOnly: !canEdit };
  const count = components.length + relationships.length + notes.length;
  if (count === 0 && componentIds.size + relationshipIds.size + noteIds.size > 0) return <DeletedSelection />;
  if (count === 0) return <WorkspaceDetails {...detailProps} />;
  if (count === 1 && component)
    return <ComponentDetails key={component.id} {...detailProps} component={component} />;
  if (count === 1 && relationship) {
    return <RelationshipDetails key={relationship.id} {...detailProps} row={relationship} />;
  }
  if (count === 1 && note) return <NoteDetails key={note.id} note={note} readOnly={!canEdit} />;
  return (
    <MultipleSelection {...detailProps} components={components} relationships={relationships} notes={notes} />
  );
}

/** Shown when the selected item was deleted. */
function DeletedSelection() {
  return (
    <div className={styles.head}>
      <p role="status">The selected item was deleted.</p>
      <p>
        <button type="button" className={styles.textButton} onClick={() => setSelection([])}>
          Clear selection
        </button>
      </p>
    </div>
  );
}
