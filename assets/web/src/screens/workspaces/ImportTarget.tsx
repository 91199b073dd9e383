/** Where a file goes: into a new workspace, or over one that is there. */

import type { ListedWorkspace } from '@/api/generated';
import { truncate } from '@/core/text';
import type { ImportFile } from '@/core/transfer/file';
import { SelectField, TextField } from '@/ui/Field';
import styles from './ImportDialog.module.css';
import type { Target } from './useImport';

interface Props {
  file: ImportFile;
  known: readonly ListedWorkspace[];
  target: Target;
  onTarget: (target: Target) => void;
}

export function ImportTarget({ file, known, target, onTarget }: Props) {
  const mine = known.filter(({ myRole }) => myRole === 'editor' || myRole === 'owner');
  // A table knows of no relationships: over a workspace it would take them away.
  const mayReplace = file.kind !== 'table of components';
  return (
    <div className={styles.target}>
      <SelectField
        label="Where to"
        value={target.over}
        onChange={(event) => onTarget({ ...target, over: event.target.value })}
        hint={
          mayReplace
            ? undefined
            : 'Into a workspace that is there, a table is imported from its own Table page, where nothing is deleted.'
        }
      >
        <option value="">A new workspace</option>
        {mayReplace &&
          mine.map(({ id, name }) => (
            <option key={id} value={id}>
              Over “{truncate(name, 80)}”
            </option>
          ))}
      </SelectField>
      {target.over === '' && (
        <>
          <TextField
            label="Name"
            value={target.name}
            onChange={(event) => onTarget({ ...target, name: event.target.value })}
          />
          <TextField
            label="Id"
            value={target.id}
            placeholder="made from the name"
            hint="Its part of the address"
            onChange={(event) => onTarget({ ...target, id: event.target.value })}
          />
        </>
      )}
    </div>
  );
}
