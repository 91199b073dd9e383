/** The target of an import: a new workspace or an existing one. */

import type { ListedWorkspace } from '@/api/generated';
import { truncate } from '@/core/text';
import type { ImportFile } from '@/core/transfer/file';
import { SelectField, TextField } from '@/ui/Field';
import styles from './Import.module.css';
import type { Target } from './useExportImport';

interface Props {
  file: ImportFile;
  known: readonly ListedWorkspace[];
  target: Target;
  onTarget: (target: Target) => void;
}

export function ImportTarget({ file, known, target, onTarget }: Props) {
  const mine = known.filter(({ myRole }) => myRole === 'editor' || myRole === 'owner');
  // A table has no relationships, so replacing a workspace with it would delete all relationships.
  const mayReplace = file.kind !== 'Table of components';
  return (
    <div className={styles.target}>
      <SelectField
        label="Import into"
        value={target.over}
        onChange={(event) => onTarget({ ...target, over: event.target.value })}
        hint={
          mayReplace
            ? undefined
            : 'To import a table into an existing workspace, use Import on its Table page.'
        }
      >
        <option value="">New workspace</option>
        {mayReplace &&
          mine.map(({ id, name }) => (
            <option key={id} value={id}>
              Replace “{truncate(name, 80)}”
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
            label="ID"
            value={target.id}
            placeholder="derived from the name"
            hint="Used in the URL"
            onChange={(event) => onTarget({ ...target, id: event.target.value })}
          />
        </>
      )}
    </div>
  );
}
