/** Imports files of other tools: reads them, and then previews what they change in a workspace. */
import { useEffect, useState } from 'react';
import type { ConvertedFiles, ListedWorkspace } from '@/api/generated';
import { FORMATS } from '@/core/importing/formats';
import { workspaceName } from '@/core/importing/source';
import { formatCount, truncate } from '@/core/text';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { SelectField, TextField } from '@/ui/Field';
import styles from './Import.module.css';
import { ReadSummary, readText } from './ReadSummary';
import { SyncForm } from './SyncForm';
import { useReading } from './useReading';

interface Props {
  files: readonly File[];
  names: readonly string[];
  /** The workspace to import into; undefined if the user chooses. */
  into: { id: string; name: string } | undefined;
  known: readonly ListedWorkspace[];
  onFormat: (text: string) => void;
  onClose: () => void;
}

export function ForeignImport({ files, names, into, known, onFormat, onClose }: Props) {
  const [format, setFormat] = useState('');
  const { read, failure } = useReading(files, format);
  useEffect(() => {
    if (read) onFormat(readText(read));
  }, [read, onFormat]);
  if (!read) {
    return (
      <>
        {failure ? (
          <>
            <Alert text={failure} />
            <SelectField
              label="Format"
              value={format}
              onChange={(event) => setFormat(event.currentTarget.value)}
              hint="If Planroom did not recognize it."
            >
              <option value="">Recognize</option>
              {FORMATS.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          </>
        ) : (
          <div className={styles.progress} role="status">
            <progress aria-label="Reading files" /> Reading {formatCount(files.length, 'file')}…
          </div>
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </>
    );
  }
  return (
    <>
      <ReadSummary read={read} />
      <Targets read={read} names={names} into={into} known={known} onClose={onClose} />
    </>
  );
}

interface TargetsProps extends Omit<Props, 'files' | 'onFormat'> {
  read: ConvertedFiles;
}

/** Where the rows go: into a new workspace, or into one that exists. */
function Targets({ read, names, into, known, onClose }: TargetsProps) {
  const [chosen, setChosen] = useState(into?.id ?? '');
  const [name, setName] = useState(() => workspaceName(names, read.reading.workspace?.name));
  const mine = known.filter(({ myRole }) => myRole === 'editor' || myRole === 'owner');
  return (
    <>
      {!into && (
        <div className={styles.target}>
          <SelectField
            label="Import into"
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            <option value="">New workspace</option>
            {mine.map((workspace) => (
              <option key={workspace.id} value={workspace.id}>
                {truncate(workspace.name, 80)}
              </option>
            ))}
          </SelectField>
          {chosen === '' && (
            <TextField
              label="Name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              required
            />
          )}
        </div>
      )}
      <SyncForm
        key={chosen}
        read={read}
        names={names}
        workspaceId={chosen || null}
        newName={name}
        onClose={onClose}
      />
    </>
  );
}
