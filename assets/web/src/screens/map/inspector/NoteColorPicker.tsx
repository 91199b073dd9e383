/** The colors of notes as radio buttons. */
import { useId } from 'react';
import type { Note, NoteColor } from '@/api/generated';
import { colorOf, NOTE_COLORS } from '@/core/notes/note';
import { noteStyle } from '@/ui/noteStyle';
import styles from './NoteColorPicker.module.css';

interface Props {
  notes: readonly Note[];
  onChange: (color: NoteColor) => void;
}

export function NoteColorPicker({ notes, onChange }: Props) {
  const name = useId();
  const colors = new Set(notes.map(colorOf));
  return (
    <fieldset className={styles.colors}>
      <legend className="unseen">Color</legend>
      {NOTE_COLORS.map((color) => (
        <label key={color.id} className={styles.color} style={noteStyle(color.value)} title={color.name}>
          <input
            type="radio"
            className="unseen"
            name={name}
            checked={colors.size === 1 && colors.has(color.id)}
            onChange={() => onChange(color.id)}
          />
          <span className="unseen">{color.name}</span>
        </label>
      ))}
    </fieldset>
  );
}
