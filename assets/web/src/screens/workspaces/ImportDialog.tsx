/** Imports a file after previewing the changes. */

import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { errorText } from '@/api/errors';
import type { ListedWorkspace } from '@/api/generated';
import { freeVariant } from '@/core/ids';
import { MAX_IMPORT_BYTES } from '@/core/limits';
import { truncate } from '@/core/text';
import { type ImportFile, parseImportFile } from '@/core/transfer/file';
import { useCatalogue, useWorkspaces } from '@/data/queries';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { showToast } from '@/ui/Toasts';
import { loadTypes } from '@/workspace/types';
import styles from './ImportDialog.module.css';
import { ImportPreview } from './ImportPreview';
import { ImportTarget } from './ImportTarget';
import { type Target, useImport } from './useImport';

interface Props {
  /** The workspace to replace; undefined to create a new one. */
  over?: ListedWorkspace;
  onClose: () => void;
}

export function ImportDialog({ over, onClose }: Props) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const catalogue = useCatalogue();
  const known = useWorkspaces().data?.workspaces ?? [];
  const [file, setFile] = useState<ImportFile | null>(null);
  const [fileName, setFileName] = useState('');
  const [problem, setProblem] = useState('');
  const [target, setTarget] = useState<Target>({ over: over?.id ?? '', name: '', id: '' });
  const { preview, busy, failure, run } = useImport(file, target);

  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    setFile(null);
    setProblem('');
    setFileName(chosen.name);
    try {
      if (chosen.size > MAX_IMPORT_BYTES) {
        throw new Error(`The file is too large. The maximum is ${MAX_IMPORT_BYTES / (1024 * 1024)} MB.`);
      }
      // The catalogue may still be loading when a file is chosen right after the dialog opens.
      const types = catalogue.data ?? (await catalogue.refetch({ throwOnError: true })).data;
      if (!types) return;
      const read = parseImportFile(chosen.name, await chosen.text(), types, await loadTypes());
      const taken = new Set(known.map(({ id }) => id));
      setTarget((now) => ({ ...now, name: read.name, id: freeVariant(read.id, (id) => taken.has(id), 120) }));
      setFile(read);
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const finish = async () => {
    const imported = await run();
    if (!imported) return;
    showToast(`Imported “${truncate(imported.workspace?.name ?? imported.id, 80)}”`);
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
      title={over ? `Replace “${truncate(over.name, 60)}” from file` : 'Import workspace'}
      footer={footer}
      wide
    >
      <DropZone fileName={fileName} kind={file?.kind} onFile={(chosen) => void take(chosen)} />
      <Alert text={problem} />
      {file && !over && <ImportTarget file={file} known={known} target={target} onTarget={setTarget} />}
      {file && file.left.length > 0 && (
        <Alert
          kind="warn"
          text={
            <ul className={styles.description}>
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
      <Alert text={failure} />
      {preview && <ImportPreview preview={preview} />}
    </Dialog>
  );
}

interface DropZoneProps {
  fileName: string;
  kind: string | undefined;
  onFile: (file: File | undefined) => void;
}

function DropZone({ fileName, kind, onFile }: DropZoneProps) {
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
