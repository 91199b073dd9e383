/** Imports a file after a preview of what would change. */

import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { explain } from '@/api/errors';
import type { ListedWorkspace } from '@/api/generated';
import { useOrgSlug, workspacePath } from '@/app/paths';
import { useCatalogue, useWorkspaces } from '@/app/queries';
import { free } from '@/core/model/ids';
import { type ReadFile, readFile } from '@/core/transfer/file';
import { Alarm } from '@/ui/Alarm';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { say } from '@/ui/Toasts';
import styles from './ImportDialog.module.css';
import { ImportPlan } from './ImportPlan';
import { ImportTarget } from './ImportTarget';
import { type Target, useImport } from './useImport';

interface Props {
  /** The workspace to replace; undefined to create a new one. */
  over?: ListedWorkspace;
  onClose: () => void;
}

/** The maximum request size of the server. */
const LARGEST = 32 * 1024 * 1024;

export function ImportDialog({ over, onClose }: Props) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const catalogue = useCatalogue().data;
  const known = useWorkspaces().data?.workspaces ?? [];
  const [file, setFile] = useState<ReadFile | null>(null);
  const [fileName, setFileName] = useState('');
  const [problem, setProblem] = useState('');
  const [target, setTarget] = useState<Target>({ over: over?.id ?? '', name: '', id: '' });
  const { preview, busy, failure, run } = useImport(file, target);

  const take = async (chosen: File | undefined) => {
    if (!chosen || !catalogue) return;
    setFile(null);
    setProblem('');
    setFileName(chosen.name);
    try {
      if (chosen.size > LARGEST) throw new Error('The file is too large. The maximum is 32 MB.');
      const read = readFile(chosen.name, await chosen.text(), catalogue);
      const taken = new Set(known.map(({ id }) => id));
      setTarget((now) => ({ ...now, name: read.name, id: free(read.id, (id) => taken.has(id), 120) }));
      setFile(read);
    } catch (error) {
      setProblem(explain(error));
    }
  };
  const finish = async () => {
    const imported = await run();
    if (!imported) return;
    say(`Imported “${(imported.workspace?.name ?? imported.id).slice(0, 80)}”`);
    navigate(workspacePath(slug, imported.id));
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button
        kind="main"
        busy={busy === 'importing'}
        disabled={!preview || preview.isNothing}
        onClick={() => void finish()}
      >
        {preview?.isNothing
          ? 'Nothing to import'
          : over || target.over
            ? 'Replace workspace'
            : 'Import workspace'}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={over ? `Replace “${over.name.slice(0, 60)}” from file` : 'Import workspace'}
      footer={footer}
      wide
    >
      <DropPlace fileName={fileName} kind={file?.kind} onFile={(chosen) => void take(chosen)} />
      <Alarm text={problem} />
      {file && !over && <ImportTarget file={file} known={known} target={target} onTarget={setTarget} />}
      {file && file.left.length > 0 && (
        <Alarm
          kind="warn"
          text={
            <ul className={styles.words}>
              {file.left.slice(0, 20).map((text) => (
                <li key={text}>{text}</li>
              ))}
              {file.left.length > 20 && <li>… and {file.left.length - 20} more lines</li>}
            </ul>
          }
        />
      )}
      {busy === 'trying' && (
        <p className={styles.soft} role="status">
          Computing changes…
        </p>
      )}
      <Alarm text={failure} />
      {preview && <ImportPlan preview={preview} />}
    </Dialog>
  );
}

interface Place {
  fileName: string;
  kind: string | undefined;
  onFile: (file: File | undefined) => void;
}

function DropPlace({ fileName, kind, onFile }: Place) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  return (
    <section
      className={styles.drop}
      aria-label="File"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <FileUp size={28} aria-hidden />
      <div className={styles.what}>
        {fileName ? (
          <>
            <strong>{fileName}</strong>
            {kind && <span className={styles.soft}>{kind}</span>}
          </>
        ) : (
          <span>Drop a Planroom export (JSON) or a CSV of components here.</span>
        )}
      </div>
      <Button onClick={() => input.current?.click()}>
        {fileName ? 'Choose another file' : 'Choose file'}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to import"
        accept=".json,.csv,.tsv,application/json,text/csv"
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </section>
  );
}
