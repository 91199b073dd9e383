/** Renames a property on all components that have it. */
import { useState } from 'react';
import type { Rows } from '@/core/sync/rows';
import { renameProperty } from '@/core/table/edits';
import { formatCount, truncate } from '@/core/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import styles from './Table.module.css';
import { editTableWithToast } from './tableEdit';

interface Props {
  rows: Rows;
  /** The current name of the property. */
  from: string;
  onClose: () => void;
  /** Called with the new name. */
  onRenamed: (to: string) => void;
}

const MAX_KEY_LENGTH = 200;

export function RenameDialog({ rows, from, onClose, onRenamed }: Props) {
  const [text, setText] = useState(from);
  const to = text.trim();
  const { operations, inTheWay } = renameProperty(rows, from, to);
  const problem = keyProblem(to);
  const rename = () => {
    if (problem || operations.length === 0) return;
    const what = `property “${from}” to “${to}” on ${formatCount(operations.length, 'component')}`;
    editTableWithToast(`Rename ${what}`, `Renamed ${what}`, operations);
    onRenamed(to);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rename property “${truncate(from, 60)}”`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" form="rename-property" disabled={operations.length === 0}>
            Rename on {formatCount(operations.length, 'component')}
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
            {formatCount(inTheWay.length, 'component')} {inTheWay.length === 1 ? 'has' : 'have'} a property “
            {to}” already, and {inTheWay.length === 1 ? 'keeps' : 'keep'} both:{' '}
            {inTheWay
              .slice(0, 5)
              .map(({ name }) => truncate(name, 60))
              .join(', ')}
            {inTheWay.length > 5 && ' and others'}.
          </p>
        )}
      </form>
    </Dialog>
  );
}

function keyProblem(to: string): string | undefined {
  if (to === '') return 'Enter a property name.';
  if (to === 'lifecycle') return '“lifecycle” is a built-in property. Choose another name.';
  return [...to].length > MAX_KEY_LENGTH ? `At most ${MAX_KEY_LENGTH} characters.` : undefined;
}
