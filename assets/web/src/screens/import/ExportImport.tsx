/** Imports a file that Planroom exported, or a table of components: as a new workspace, or instead of the contents of one. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ListedWorkspace } from '@/api/generated';
import { freeVariant } from '@/core/ids';
import { truncate } from '@/core/text';
import type { ImportFile } from '@/core/transfer/file';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { showToast } from '@/ui/Toasts';
import { ExportPreview } from './ExportPreview';
import styles from './Import.module.css';
import { ImportTarget } from './ImportTarget';
import { type Target, useExportImport } from './useExportImport';

/** Maximum number of messages about lines that are left out. */
const MAX_LEFT = 20;

interface Props {
  file: ImportFile;
  /** The workspaces that the user can see. */
  known: readonly ListedWorkspace[];
  /** The workspace to replace; absent if the user chooses. */
  over: ListedWorkspace | undefined;
  onClose: () => void;
}

export function ExportImport({ file, known, over, onClose }: Props) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const [target, setTarget] = useState<Target>(() => {
    const taken = new Set(known.map(({ id }) => id));
    return {
      over: over?.id ?? '',
      name: file.name,
      id: freeVariant(file.id, (id) => taken.has(id), 120),
    };
  });
  const { preview, busy, failure, run } = useExportImport(file, target);
  const finish = async () => {
    const imported = await run();
    if (!imported) return;
    showToast(`Imported “${truncate(imported.workspace?.name ?? imported.id, 80)}”`);
    navigate(workspacePath(slug, imported.id));
    onClose();
  };
  const label = over || target.over ? 'Replace workspace' : 'Import workspace';
  return (
    <>
      {!over && <ImportTarget file={file} known={known} target={target} onTarget={setTarget} />}
      {file.left.length > 0 && (
        <Alert
          kind="warn"
          text={
            <ul className={styles.description}>
              {file.left.slice(0, MAX_LEFT).map((text) => (
                <li key={text}>{text}</li>
              ))}
              {file.left.length > MAX_LEFT && <li>… and {file.left.length - MAX_LEFT} more lines</li>}
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
      {preview && <ExportPreview preview={preview} />}
      <div className={styles.actions}>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="main"
          busy={busy === 'importing'}
          disabled={!preview || preview.isNothing}
          onClick={() => void finish()}
        >
          {preview?.isNothing ? 'Nothing to import' : label}
        </Button>
      </div>
    </>
  );
}
