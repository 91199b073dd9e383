/**
 * The notes on the map, below the lines and components or above them. Elements exist only for notes near the visible
 * part at a readable zoom; the overview is painted.
 */
import { useStore, ViewportPortal } from '@xyflow/react';
import { type CSSProperties, useMemo } from 'react';
import { isBehind, type PlacedNote } from '@/core/notes/note';
import { expandRect, overlaps } from '@/core/scene/geometry';
import { useCamera, visibleRect } from '@/map/state/camera';
import { useInteraction, useUploads } from '@/map/state/interaction';
import { useNotes } from '@/map/state/notes';
import styles from './Note.module.css';
import { DraftNoteEditor, NoteEditor } from './NoteEditor';
import { NoteView } from './NoteView';

/** The notes below the lines and components. */
export function NotesBehind() {
  const [x, y, zoom] = useStore((state) => state.transform);
  const notes = useNearNotes(true);
  if (notes.length === 0) return null;
  const style = { transform: `translate(${x}px, ${y}px) scale(${zoom})`, '--unzoom': 1 / zoom };
  return (
    <div className={styles.behind} style={style as CSSProperties}>
      {notes.map((placed) => (
        <NoteView key={placed.note.id} placed={placed} />
      ))}
    </div>
  );
}

/** The notes above the components, and the editors. */
export function NotesInFront() {
  const zoom = useCamera(({ viewport }) => viewport.zoom);
  const notes = useNearNotes(false);
  const draft = useInteraction((interaction) => interaction.noteDraft);
  const editing = useInteraction((interaction) => interaction.editingNote);
  return (
    <ViewportPortal>
      <div className={styles.front} style={{ '--unzoom': 1 / zoom } as CSSProperties}>
        {notes.map((placed) => (
          <NoteView key={placed.note.id} placed={placed} />
        ))}
        <Uploads />
        {editing !== null && <NoteEditor key={editing} id={editing} />}
        {draft && <DraftNoteEditor key={`${draft.kind} ${draft.rect.x} ${draft.rect.y}`} draft={draft} />}
      </div>
    </ViewportPortal>
  );
}

/** The images that are being uploaded. */
function Uploads() {
  const uploads = useUploads((state) => state.uploads);
  return uploads.map(({ id, rect: { x, y, width, height } }) => (
    <div
      key={id}
      className={styles.upload}
      role="status"
      data-upload
      style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
    >
      <span className={styles.spinner} aria-hidden />
      Uploading image…
    </div>
  ));
}

/** The notes that are visible or would become visible by a small movement. */
function useNearNotes(wantsBehind: boolean): readonly PlacedNote[] {
  const notes = useNotes();
  const isShown = useCamera((camera) => camera.isPositioned && !camera.isOverview);
  // Changes only after a larger movement, so that panning does not render the notes.
  const area = useCamera(({ viewport: { x, y, zoom }, width, height }) =>
    [
      Math.floor(x / Math.max(width / 2, 1)),
      Math.floor(y / Math.max(height / 2, 1)),
      Math.round(Math.log2(zoom) * 2),
      width,
      height,
    ].join(' '),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `area` stands for the visible part
  return useMemo(() => {
    if (!isShown) return [];
    const seen = visibleRect();
    const near = expandRect(seen, Math.max(seen.width, seen.height));
    return notes.filter(({ note, rect }) => isBehind(note) === wantsBehind && overlaps(rect, near));
  }, [notes, isShown, area, wantsBehind]);
}
