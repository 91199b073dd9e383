/** The inspector: details of the selection, or of the workspace if nothing is selected. */
import { PanelRightOpen, X } from 'lucide-react';
import { useDeferredValue, useLayoutEffect } from 'react';
import type { Model } from '@/core/model/model';
import { useInteraction } from '@/map/state/interaction';
import { INSPECTOR_ID } from '@/map/state/panels';
import { setSelection, useView, type View } from '@/map/state/view';
import { IconButton } from '@/ui/Button';
import { isMedium, isNarrow } from '@/ui/breakpoints';
import { useCanEdit, useModel } from '@/workspace/model';
import { ComponentDetails } from './ComponentDetails';
import styles from './Inspector.module.css';
import { MultipleSelection } from './MultipleSelection';
import { RelationshipDetails } from './RelationshipDetails';
import { WorkspaceDetails } from './WorkspaceDetails';

export function Inspector() {
  const model = useModel();
  const isOpen = useView((view) => view.inspectorOpen);
  useLayoutEffect(closePanelWhenNarrow, []);
  if (!isOpen) {
    return (
      <IconButton
        label="Show inspector"
        icon={<PanelRightOpen size={18} aria-hidden />}
        className={styles.open}
        onClick={() => useView.setState({ inspectorOpen: true })}
      />
    );
  }
  return (
    <aside id={INSPECTOR_ID} className={styles.inspector} aria-label="Inspector" onKeyDown={leaveOnEscape}>
      <IconButton
        label="Hide inspector"
        icon={<X size={18} aria-hidden />}
        className={styles.close}
        onClick={() => useView.setState({ inspectorOpen: false })}
      />
      {model && <Selected model={model} />}
    </aside>
  );
}

/**
 * On narrow screens, opens the inspector when something is selected; on a phone only on request. Returns a function
 * that stops it.
 */
function closePanelWhenNarrow(): (() => void) | undefined {
  const isAnything = ({ selectedComponents, selectedRelationships }: View) =>
    selectedComponents.size + selectedRelationships.size > 0;
  if (!isMedium() || (!isNarrow() && isAnything(useView.getState()))) return;
  useView.setState({ inspectorOpen: false });
  if (isNarrow()) return;
  const stop = useView.subscribe((view) => {
    if (!view.inspectorOpen && !isAnything(view)) return;
    stop();
    useView.setState({ inspectorOpen: true });
    setTimeout(revealSelection, DOUBLE_CLICK_MS);
  });
  return stop;
}

/** Time in which a second click must still hit the same item, in milliseconds. */
const DOUBLE_CLICK_MS = 400;

/** A newly opened inspector may cover the selected item. */
function revealSelection(): void {
  const { selectedComponents, camera } = useView.getState();
  const [id] = selectedComponents;
  if (id !== undefined && selectedComponents.size === 1 && !useInteraction.getState().moving)
    camera?.reveal(id);
}

/** Escape leaves a field of the inspector before it clears the selection. */
function leaveOnEscape(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Escape' || !(event.target instanceof HTMLElement)) return;
  event.target.blur();
  event.stopPropagation();
}

/** Updates wait during a drag, because rendering the details takes longer than a frame. */
function useWhenNotDragging<T>(value: T): T {
  const isMoving = useInteraction((interaction) => interaction.moving !== null);
  const later = useDeferredValue(value);
  return isMoving ? later : value;
}

function Selected({ model }: { model: Model }) {
  const canEdit = useCanEdit();
  const componentIds = useWhenNotDragging(useView((view) => view.selectedComponents));
  const relationshipIds = useWhenNotDragging(useView((view) => view.selectedRelationships));
  const { rows } = model;
  const components = [...componentIds].flatMap((id) => rows.component.get(id) ?? []);
  const relationships = [...relationshipIds].flatMap((id) => rows.relationship.get(id) ?? []);
  const [component] = components;
  const [relationship] = relationships;
  const given = { model, readOnly: !canEdit };
  const count = components.length + relationships.length;
  if (count === 0 && componentIds.size + relationshipIds.size > 0) return <DeletedSelection />;
  if (count === 0) return <WorkspaceDetails {...given} />;
  if (count === 1 && component)
    return <ComponentDetails key={component.id} {...given} component={component} />;
  if (count === 1 && relationship) {
    return <RelationshipDetails key={relationship.id} {...given} row={relationship} />;
  }
  return <MultipleSelection {...given} components={components} relationships={relationships} />;
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
