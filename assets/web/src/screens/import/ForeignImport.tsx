/** Imports files of other tools: reads them, and then previews what they change in a workspace. */
import { useEffect, useMemo, useState } from 'react';
import type { ConvertedFiles, ListedWorkspace, ReadingOptions as Options } from '@/api/generated';
import { FORMATS } from '@/core/importing/formats';
import {
  type Choice,
  choiceOf,
  chosenOptions,
  formatOfNames,
  hasOptions,
} from '@/core/importing/readingOptions';
import { workspaceName } from '@/core/importing/source';
import { formatCount, truncate } from '@/core/text';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { SelectField, TextField } from '@/ui/Field';
import styles from './Import.module.css';
import { ReadingOptions } from './ReadingOptions';
import { ReadSummary, readText } from './ReadSummary';
import { SyncForm } from './SyncForm';
import { nameOf, textOf } from './sourceFiles';
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
  const [options, setOptions] = useState<Options>({});
  const request = useMemo(() => chosenOptions(options), [options]);
  const { read, failure, format: readFormat } = useReading(files, format, request);
  const choice = useChoice(files, format || readFormat || formatOfNames(names));
  const [target, setTarget] = useState<Target>({ id: into?.id ?? '', name: null });
  useEffect(() => {
    if (read) onFormat(readText(read));
  }, [read, onFormat]);
  return (
    <>
      {failure && (
        <>
          <Alert text={failure} />
          <SelectField
            label="Format"
            value={format}
            onChange={(event) => {
              setFormat(event.currentTarget.value);
              setOptions({});
            }}
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
      )}
      {choice && (
        <ReadingOptions choice={choice} options={options} isNeeded={failure !== ''} onChange={setOptions} />
      )}
      {read && (
        <>
          <ReadSummary read={read} />
          <Targets
            read={read}
            names={names}
            into={into}
            known={known}
            target={target}
            onTarget={setTarget}
            onClose={onClose}
          />
        </>
      )}
      {!read && !failure && (
        <div className={styles.progress} role="status">
          <progress aria-label="Reading files" /> Reading {formatCount(files.length, 'file')}…
        </div>
      )}
      {!read && (
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      )}
    </>
  );
}

/** What can be chosen for the files. Their texts are needed only for formats with options. */
function useChoice(files: readonly File[], format: string): Choice | undefined {
  const [choice, setChoice] = useState<Choice>();
  useEffect(() => {
    let isCurrent = true;
    const find = async () => {
      const texts = hasOptions(format)
        ? await Promise.all(files.map(async (file) => ({ name: nameOf(file), text: await textOf(file) })))
        : [];
      if (isCurrent) setChoice(choiceOf(format, texts));
    };
    // Files that cannot be read have no options. The reading reports the error.
    find().catch(() => {
      if (isCurrent) setChoice(undefined);
    });
    return () => {
      isCurrent = false;
    };
  }, [files, format]);
  return choice;
}

/** Where the rows go. The user keeps what was chosen when the files are read again. */
interface Target {
  /** The workspace. Empty for a new one. */
  id: string;
  /** The name of a new workspace, unless it is that of the files. */
  name: string | null;
}

interface TargetsProps extends Omit<Props, 'files' | 'onFormat'> {
  read: ConvertedFiles;
  target: Target;
  onTarget: (target: Target) => void;
}

/** Where the rows go: into a new workspace, or into one that exists. */
function Targets({ read, names, into, known, target, onTarget, onClose }: TargetsProps) {
  const name = target.name ?? workspaceName(names, read.reading.workspace?.name);
  const mine = known.filter(({ myRole }) => myRole === 'editor' || myRole === 'owner');
  return (
    <>
      {!into && (
        <div className={styles.target}>
          <SelectField
            label="Import into"
            value={target.id}
            onChange={(event) => onTarget({ ...target, id: event.currentTarget.value })}
          >
            <option value="">New workspace</option>
            {mine.map((workspace) => (
              <option key={workspace.id} value={workspace.id}>
                {truncate(workspace.name, 80)}
              </option>
            ))}
          </SelectField>
          {target.id === '' && (
            <TextField
              label="Name"
              value={name}
              onChange={(event) => onTarget({ ...target, name: event.currentTarget.value })}
              required
            />
          )}
        </div>
      )}
      <SyncForm
        key={target.id}
        read={read}
        names={names}
        workspaceId={target.id || null}
        newName={name}
        onClose={onClose}
      />
    </>
  );
}
