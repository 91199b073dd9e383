/** Imports files of decisions, and shows what was not imported. */
import { useState } from 'react';
import { errorText } from '@/api/errors';
import type { ImportedDecisions } from '@/api/generated';
import { formatCount } from '@/core/text';
import { importFiles } from '@/data/decisions';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { FormError } from '@/ui/Form';
import { useAction } from '@/ui/useAction';
import { saveAll } from '@/workspace/outboxes';
import styles from './Decisions.module.css';

interface Props {
  workspaceId: string;
  files: readonly File[];
  onClose: () => void;
}

export function ImportDecisions({ workspaceId, files, onClose }: Props) {
  const { busy, error, run } = useAction();
  const [done, setDone] = useState<ImportedDecisions | null>(null);
  const start = () =>
    run(async () => {
      await saveAll(workspaceId);
      setDone(await importFiles(workspaceId, files));
    });
  const footer = done ? (
    <Button kind="main" onClick={onClose}>
      Close
    </Button>
  ) : (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="main" busy={busy} onClick={() => void start()}>
        Import {formatCount(files.length, 'file')}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title="Import decisions" footer={footer}>
      {done ? (
        <Result done={done} />
      ) : (
        <>
          <p>
            Files in the form of MADR or adr-tools. A file updates the decision with its number, or creates
            one.
          </p>
          <ul className={styles.files}>
            {files.map(({ name }) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </>
      )}
      <FormError text={error ? errorText(error) : undefined} />
    </Dialog>
  );
}

function Result({ done: { created, updated, unchanged, diagnostics } }: { done: ImportedDecisions }) {
  return (
    <>
      <p role="status">
        {formatCount(created.length, 'decision')} created, {updated.length} updated, {unchanged.length}{' '}
        unchanged.
      </p>
      {diagnostics.length > 0 && (
        <ul className={styles.files} aria-label="Not imported">
          {diagnostics.map(({ file, line, text }) => (
            <li key={`${file}:${line}:${text}`}>
              <strong>
                {file}:{line}
              </strong>{' '}
              {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
