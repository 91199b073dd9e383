/** Renames a property on all components that have it. */
import { useState } from 'react';
import type { Rows } from '@/core/sync/rows';
import { renaming } from '@/core/table/edits';
import { counted } from '@/core/words';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { actAndTell } from './act';
import styles from './Table.module.css';

interface Props {
  rows: Rows;
  /** The current name of the property. */
  from: string;
  onClose: () => void;
  /** Called with the new name. */
  onRenamed: (to: string) => void;
}

const LONGEST = 200;

export function RenameDialog({ rows, from, onClose, onRenamed }: Props) {
  const [text, setText] = useState(from);
  const to = text.trim();
  const { operations, inTheWay } = renaming(rows, from, to);
  const problem = problemOf(to);
  const rename = () => {
    if (problem || operations.length === 0) return;
    const what = `property “${from}” to “${to}” on ${counted(operations.length, 'component')}`;
    actAndTell(`Rename ${what}`, `Renamed ${what}`, operations);
    onRenamed(to);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rename property “${from.slice(0, 60)}”`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" form="rename-property" disabled={operations.length === 0}>
            Rename on {counted(operations.length, 'component')}
          </Button>
        </>
      }
    >
      <form
        id="rename-property"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <TextField
          label="New name"
          autoFocus
          value={text}
          problem={problem}
          onChange={(event) => setText(event.target.value)}
        />
        {inTheWay.length > 0 && (
          <p role="status">
            {counted(inTheWay.length, 'component')} {inTheWay.length === 1 ? 'has' : 'have'} a property “{to}”
            already, and {inTheWay.length === 1 ? 'keeps' : 'keep'} both:{' '}
            {inTheWay
              .slice(0, 5)
              .map(({ name }) => name.slice(0, 60))
              .join(', ')}
            {inTheWay.length > 5 && ' and others'}.
          </p>
        )}
      </form>
    </Dialog>
  );
}

function problemOf(to: string): string | undefined {
  if (to === '') return 'Enter a property name.';
  if (to === 'lifecycle') return '“lifecycle” is a built-in property. Choose another name.';
  return [...to].length > LONGEST ? `At most ${LONGEST} characters.` : undefined;
}
