/** Renames a property on all components that have it. */

import { useState } from 'react';
import { MAX_NAME_CHARS } from '@/core/limits';
import type { Rows } from '@/core/sync/rows';
import { renameProperty } from '@/core/table/edits';
import { formatCount, truncate } from '@/core/text';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { editTableWithToast } from './tableEdit';

interface Props {
  rows: Rows;
  /** The current name of the property. */
  from: string;
  onClose: () => void;
  /** Called with the new name. */
  onRenamed: (to: string) => void;
}

export function RenameDialog({ rows, from, onClose, onRenamed }: Props) {
  const [text, setText] = useState(from);
  const to = text.trim();
  const { operations, conflicting } = renameProperty(rows, from, to);
  const problem = keyProblem(to);
  const rename = () => {
    if (problem || operations.length === 0) return;
    const subject = `property “${from}” to “${to}” on ${formatCount(operations.length, 'component')}`;
    editTableWithToast(`Rename ${subject}`, `Renamed ${subject}`, operations);
    onRenamed(to);
    onClose();
  };
  return (
    <FormDialog
      title={`Rename property “${truncate(from, 60)}”`}
      submitLabel={`Rename on ${formatCount(operations.length, 'component')}`}
      onSubmit={rename}
      onClose={onClose}
      disabled={operations.length === 0}
    >
      <TextField
        label="New name"
        autoFocus
        value={text}
        problem={problem}
        onChange={(event) => setText(event.target.value)}
      />
      {conflicting.length > 0 && (
        <p role="status">
          {formatCount(conflicting.length, 'component')}{' '}
          {conflicting.length === 1 ? 'already has' : 'already have'} the property “{to}” and{' '}
          {conflicting.length === 1 ? 'keeps' : 'keep'} both:{' '}
          {conflicting
            .slice(0, 5)
            .map(({ name }) => truncate(name, 60))
            .join(', ')}
          {conflicting.length > 5 && ' and others'}.
        </p>
      )}
    </FormDialog>
  );
}

function keyProblem(to: string): string | undefined {
  if (to === '') return 'Enter a property name.';
  if (to === 'lifecycle') return '“lifecycle” is a built-in property. Choose another name.';
  return [...to].length > MAX_NAME_CHARS ? `At most ${MAX_NAME_CHARS} characters.` : undefined;
}
