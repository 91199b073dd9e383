/** The handles that resize the selected note. The keyboard has actions for the same purpose. */
import { ViewportPortal } from '@xyflow/react';
import { handlesOf } from '@/map/edits/notes';
import { useCamera } from '@/map/state/camera';
import { useInteraction } from '@/map/state/interaction';
import { useNotes } from '@/map/state/notes';
import { useView } from '@/map/state/view';
import { useCanEdit } from '@/workspace/model';
import styles from './Canvas.module.css';
import { cursorOf } from './GroupHandles';

export function NoteHandles() {
  const canEdit = useCanEdit();
  const isAlone = useView(
    ({ selectedComponents, selectedRelationships, selectedNotes }) =>
      selectedNotes.size === 1 && selectedComponents.size + selectedRelationships.size === 0,
  );
  const [id] = useView((view) => view.selectedNotes);
  const notes = useNotes();
  const isOverview = useCamera((camera) => camera.isOverview);
  const zoom = useCamera(({ viewport }) => viewport.zoom);
  const isBusy = useInteraction(({ preview, editingNote }) => preview !== null || editingNote !== null);
  const placed = isAlone ? notes.find(({ note }) => note.id === id) : undefined;
  if (!canEdit || isOverview || isBusy || !placed) return null;
  const { note, rect } = placed;
  return (
    <ViewportPortal>
      {handlesOf(note).map(({ x, y }) => (
        <span
          key={`${x} ${y}`}
          className={styles.resize}
          data-resize-note={id}
          data-edges={`${x} ${y}`}
          aria-hidden
          style={{
            transform: `translate(${rect.x + ((x + 1) / 2) * rect.width}px, ${rect.y + ((y + 1) / 2) * rect.height}px) scale(${1 / zoom})`,
            cursor: cursorOf(x, y),
          }}
        />
      ))}
    </ViewportPortal>
  );
}
