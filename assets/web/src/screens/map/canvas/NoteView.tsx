/** A note, frame or image on the map. */
import { ImageOff } from 'lucide-react';
import { type CSSProperties, memo, type RefObject, useEffect, useRef, useState } from 'react';
import type { Note } from '@/api/generated';
import { NOTE_KINDS } from '@/core/noteLabel';
import { frameTitle } from '@/core/notes/hits';
import { blocksText } from '@/core/notes/markdown';
import { colorValue, type PlacedNote } from '@/core/notes/note';
import { truncate } from '@/core/text';
import { HIGHLIGHT_MARKS } from '@/map/drawing/highlights';
import { useInteraction } from '@/map/state/interaction';
import { loadNoteImage, useNoteImages } from '@/map/state/noteImages';
import { type HighlightKind, useView } from '@/map/state/view';
import { NoteText } from '@/ui/NoteText';
import { useNoteBlocks } from '@/ui/noteBlocks';
import { noteStyle } from '@/ui/noteStyle';
import styles from './Note.module.css';

function NoteViewInner({ placed: { note, rect } }: { placed: PlacedNote }) {
  const { id, kind } = note;
  const isSelected = useView((view) => view.selectedNotes.has(id));
  const isFocused = useInteraction((interaction) => interaction.focusedNote === id);
  const isMoving = useInteraction((interaction) => interaction.movingNotes?.has(id) ?? false);
  const isEditing = useInteraction((interaction) => interaction.editingNote === id);
  const tone = useView((view) => view.highlight?.notes?.get(id));
  const label = useLabel(note, tone);
  const { x, y, width, height } = rect;
  const place = {
    transform: `translate(${x}px, ${y}px)`,
    width,
    height,
    '--frame-width': `${width}px`,
    ...noteStyle(colorValue(note)),
  } as CSSProperties;
  return (
    <div
      className={styles.note}
      style={place}
      data-note-kind={kind}
      data-selected={isSelected || undefined}
      data-moving={isMoving || undefined}
      data-editing={isEditing || undefined}
      data-tone={tone}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: can be dragged, and must not cover the links of the text */}
      <div
        role="button"
        className={styles.button}
        data-note={id}
        tabIndex={isFocused ? 0 : -1}
        aria-pressed={isSelected}
        aria-label={label}
        onFocus={() => useInteraction.setState({ focused: null, focusedNote: id })}
      />
      {kind === 'note' && <Sheet text={note.text ?? ''} />}
      {kind === 'frame' && (
        <span className={styles.title} aria-hidden>
          {frameTitle(note)}
        </span>
      )}
      {kind === 'image' && <Picture note={note} />}
      {tone && (
        <span className={styles.mark} aria-hidden>
          {HIGHLIGHT_MARKS[tone].sign}
        </span>
      )}
    </div>
  );
}

export const NoteView = memo(NoteViewInner, (a, b) => a.placed === b.placed);

/** Maximum length of the label for screen readers. The inspector has the whole text. */
const MAX_LABEL_CHARS = 500;

/** The label for screen readers. */
function useLabel({ kind, text }: Note, tone: HighlightKind | undefined): string {
  const blocks = useNoteBlocks(kind === 'note' ? (text ?? '') : '');
  const content = kind === 'note' ? blocksText(blocks).replaceAll('\n', ' ') : (text ?? '').trim();
  const name = content ? `${NOTE_KINDS[kind]}: ${truncate(content, MAX_LABEL_CHARS)}` : NOTE_KINDS[kind];
  return tone ? `${name}, ${HIGHLIGHT_MARKS[tone].name}` : name;
}

function Sheet({ text }: { text: string }) {
  const blocks = useNoteBlocks(text);
  const sheet = useRef<HTMLDivElement>(null);
  const isCut = useIsCut(sheet);
  return (
    // The button has the text for screen readers, and the inspector its links.
    <div ref={sheet} className={styles.sheet} data-cut={isCut || undefined} aria-hidden>
      <NoteText blocks={blocks} linkTabIndex={-1} />
    </div>
  );
}

/** The part of the last row, in pixels, that can be outside without cutting a letter. */
const ROW_SLACK = 3;

/** Whether the text of a sheet does not fit into it. The text also changes its size with the zoom. */
function useIsCut(sheet: RefObject<HTMLDivElement | null>): boolean {
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const element = sheet.current;
    const text = element?.firstElementChild;
    if (!element || !(text instanceof HTMLElement)) return;
    const observer = new ResizeObserver(() => {
      const { paddingTop, paddingBottom } = getComputedStyle(element);
      const room = element.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
      setCut(text.offsetHeight > room + ROW_SLACK);
    });
    observer.observe(element);
    observer.observe(text);
    return () => observer.disconnect();
  }, [sheet]);
  return isCut;
}

function Picture({ note: { imageId, text } }: { note: Note }) {
  const image = useNoteImages((state) => state.images.get(imageId ?? ''));
  useEffect(() => {
    if (imageId && !image) void loadNoteImage(imageId);
  }, [imageId, image]);
  if (image?.url) return <img className={styles.picture} src={image.url} alt="" draggable={false} />;
  const isMissing = image?.state === 'missing' || !imageId;
  return (
    <span className={styles.noPicture} aria-hidden>
      {isMissing ? <ImageOff size={24} /> : <span className={styles.spinner} />}
      <span>
        {isMissing
          ? text?.trim()
            ? `Image not available: ${text}`
            : 'Image not available'
          : 'Loading image…'}
      </span>
    </span>
  );
}
