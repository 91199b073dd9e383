/** Details of a note, frame or image, edited in place. */
import { ArrowDown, ArrowUp, BringToFront, ImageUp, Link2, SendToBack } from 'lucide-react';
import { useId } from 'react';
import { actionOf } from '@/actions';
import { actionTitle, actionTooltip } from '@/actions/action';
import { runAction } from '@/actions/runAction';
import type { Note } from '@/api/generated';
import { textProblem } from '@/core/model/validation';
import { NOTE_KINDS, noteLabel } from '@/core/noteLabel';
import { linksOf } from '@/core/notes/markdown';
import { MAX_NOTE_SIDE, MIN_NOTE_SIZE, noteRect } from '@/core/notes/note';
import { describeLayer } from '@/core/notes/order';
import { replaceImage } from '@/map/edits/imageUpload';
import { setNoteColor, setNoteSize } from '@/map/edits/notes';
import { Button, IconButton } from '@/ui/Button';
import { NoteText } from '@/ui/NoteText';
import { useNoteBlocks } from '@/ui/noteBlocks';
import { edit } from '@/workspace/store';
import { useAuthor } from './authors';
import { copyLink, Labeled } from './ComponentDetails';
import { InlineText } from './InlineText';
import styles from './Inspector.module.css';
import { NoteColorPicker } from './NoteColorPicker';
import { Section } from './Section';
import { Timestamps } from './Timestamps';

interface Props {
  note: Note;
  readOnly: boolean;
}

const TEXT_FIELDS: Readonly<Record<Note['kind'], { label: string; placeholder: string }>> = {
  note: { label: 'Text', placeholder: 'Markdown: **bold**, - list, # heading' },
  frame: { label: 'Title', placeholder: 'What does the frame contain?' },
  image: { label: 'Description', placeholder: 'What does the image show? Screen readers read this.' },
};

export function NoteDetails({ note, readOnly }: Props) {
  const { id, kind } = note;
  return (
    <>
      <div className={styles.head}>
        <p className={styles.eyebrow}>{NOTE_KINDS[kind]}</p>
      </div>
      <div className={styles.body}>
        {readOnly && kind === 'note' ? (
          <ReadText note={note} />
        ) : (
          <EditText note={note} readOnly={readOnly} />
        )}
        {!readOnly && kind === 'note' && <Links note={note} />}
        {!readOnly && kind !== 'image' && (
          <Labeled label="Color">
            <NoteColorPicker notes={[note]} onChange={(color) => setNoteColor([id], color)} />
          </Labeled>
        )}
        {!readOnly && <Layer note={note} />}
        {!readOnly && <Size key={`${note.width} ${note.height}`} note={note} />}
        {!readOnly && kind === 'image' && (
          <div>
            <Button icon={<ImageUp size={16} aria-hidden />} onClick={() => void replaceImage(note)}>
              Replace image…
            </Button>
          </div>
        )}
        <Timestamps row={note} id={id} />
        <div>
          <Button icon={<Link2 size={16} aria-hidden />} onClick={() => void copyLink('note', id)}>
            Copy link
          </Button>
        </div>
      </div>
    </>
  );
}

function EditText({ note, readOnly }: Props) {
  const author = useAuthor();
  const { id, kind, text, revision } = note;
  const { label, placeholder } = TEXT_FIELDS[kind];
  return (
    <InlineText
      label={label}
      id={`note/${id}/text`}
      value={text ?? ''}
      revision={revision}
      changedBy={author(note.updatedBy)}
      readOnly={readOnly}
      problemOf={textProblem}
      placeholder={placeholder}
      long={kind !== 'frame'}
      save={(typed, since, base) =>
        edit(`Edit ${label.toLowerCase()} of ${noteLabel(note)}`, [
          { op: 'update', kind: 'note', id, fields: { text: typed }, before: { text: since }, base },
        ])
      }
    />
  );
}

/** The text as it is shown on the map. */
function ReadText({ note: { text } }: { note: Note }) {
  const blocks = useNoteBlocks(text ?? '');
  return blocks.length > 0 ? (
    <NoteText blocks={blocks} />
  ) : (
    <p className={styles.hint}>This note is empty.</p>
  );
}

/** The links of the text, for the keyboard and screen readers. */
function Links({ note: { text } }: { note: Note }) {
  const links = linksOf(useNoteBlocks(text ?? ''));
  if (links.length === 0) return null;
  return (
    <Section title="Links" count={links.length}>
      <ul className={styles.list}>
        {links.map(({ href, text: name }) => (
          <li key={href} className={styles.row}>
            <a className={styles.rowMain} href={href} target="_blank" rel="noopener noreferrer nofollow">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const LAYER_ACTIONS = [
  { id: 'note.forward', icon: ArrowUp },
  { id: 'note.backward', icon: ArrowDown },
  { id: 'note.front', icon: BringToFront },
  { id: 'note.back', icon: SendToBack },
] as const;

function Layer({ note }: { note: Note }) {
  return (
    <Labeled label={`Layer ${note.layer}`}>
      <div className={styles.layer}>
        <span>{describeLayer(note)}</span>
        <span className={styles.layerButtons}>
          {LAYER_ACTIONS.map(({ id, icon: Icon }) => {
            const action = actionOf(id);
            return (
              <IconButton
                key={id}
                label={actionTitle(action)}
                title={actionTooltip(action)}
                icon={<Icon size={16} aria-hidden />}
                onClick={() => runAction(action)}
              />
            );
          })}
        </span>
      </div>
    </Labeled>
  );
}

/** Width and height, saved when the field loses the focus. */
function Size({ note }: { note: Note }) {
  const rect = noteRect(note);
  const isImage = note.kind === 'image';
  const save = (side: 'width' | 'height', value: number) => {
    if (!Number.isFinite(value)) return;
    const size = Math.round(Math.min(MAX_NOTE_SIDE, Math.max(MIN_NOTE_SIZE[side], value)));
    const other = side === 'width' ? 'height' : 'width';
    // Images keep their proportions.
    const otherSize = isImage
      ? Math.max(MIN_NOTE_SIZE[other], Math.round((rect[other] * size) / rect[side]))
      : rect[other];
    if (size !== rect[side]) setNoteSize(note, { [side]: size, [other]: otherSize });
  };
  return (
    <div className={styles.pair}>
      <SizeField
        label="Width"
        value={rect.width}
        min={MIN_NOTE_SIZE.width}
        onSave={(value) => save('width', value)}
      />
      <SizeField
        label="Height"
        value={rect.height}
        min={MIN_NOTE_SIZE.height}
        onSave={(value) => save('height', value)}
      />
    </div>
  );
}

interface SizeProps {
  label: string;
  value: number;
  min: number;
  onSave: (value: number) => void;
}

function SizeField({ label, value, min, onSave }: SizeProps) {
  const id = useId();
  return (
    <div className={styles.labeled}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={styles.select}
        type="number"
        min={min}
        max={MAX_NOTE_SIDE}
        step={20}
        defaultValue={value}
        onBlur={(event) => {
          if (event.target.value) onSave(Number(event.target.value));
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </div>
  );
}
