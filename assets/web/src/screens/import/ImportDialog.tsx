/** Imports files of all formats after a preview: as a new workspace, or into one. */
import { useEffect, useRef, useState } from 'react';
import { errorText } from '@/api/errors';
import type { ListedWorkspace } from '@/api/generated';
import { importKind } from '@/core/importing/files';
import { truncate } from '@/core/text';
import { type ImportFile, parseImportFile } from '@/core/transfer/file';
import { useCatalogue, useWorkspaces } from '@/data/queries';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { loadTypes } from '@/workspace/types';
import { ExportImport } from './ExportImport';
import { FileDrop } from './FileDrop';
import { ForeignImport } from './ForeignImport';
import styles from './Import.module.css';
import { checkFiles, nameOf } from './sourceFiles';

interface Props {
  /** The workspace to import into; undefined if the user chooses. */
  over?: ListedWorkspace;
  /** The same, of the workspace that is open. Tables are then given to `onTable`. */
  open?: { id: string; name: string; onTable: (text: string) => void };
  /** Files that were dropped. */
  files?: readonly File[];
  onClose: () => void;
}

type Chosen = { number: number; names: readonly string[] } & (
  | { kind: 'foreign'; files: readonly File[] }
  | { kind: 'export'; file: ImportFile }
);

const NO_FILES: readonly File[] = [];

export function ImportDialog({ over, open, files = NO_FILES, onClose }: Props) {
  const catalogue = useCatalogue();
  const known = useWorkspaces().data?.workspaces ?? [];
  const [names, setNames] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [format, setFormat] = useState<string>();
  const [problem, setProblem] = useState('');
  const count = useRef(0);

  const take = async (list: readonly File[]) => {
    const [first] = list;
    if (!first) return;
    const number = ++count.current;
    const paths = list.map(nameOf);
    setNames(paths);
    setChosen(null);
    setFormat(undefined);
    setProblem('');
    try {
      checkFiles(list);
      const text = await first.text();
      // The catalogue may still be loading when a file is chosen right after the dialog opens.
      const types = catalogue.data ?? (await catalogue.refetch({ throwOnError: true })).data;
      if (!types) return;
      const kind = importKind(paths, text, types);
      if (kind === 'table' && open) return open.onTable(text);
      if (kind === 'foreign') return setChosen({ number, names: paths, kind, files: list });
      const file = parseImportFile(first.name, text, types, await loadTypes());
      setFormat(file.kind);
      setChosen({ number, names: paths, kind: 'export', file });
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const dropped = useRef(files);
  // biome-ignore lint/correctness/useExhaustiveDependencies: dropped files are taken once
  useEffect(() => void take(dropped.current), []);

  const into = over ?? open;
  return (
    <Dialog open onClose={onClose} title={titleOf(over, open)} wide>
      <FileDrop names={names} kind={format} onFiles={(list) => void take(list)} />
      <Alert text={problem} />
      {chosen?.kind === 'foreign' && (
        <ForeignImport
          key={chosen.number}
          files={chosen.files}
          names={chosen.names}
          into={into}
          known={known}
          onFormat={setFormat}
          onClose={onClose}
        />
      )}
      {chosen?.kind === 'export' && (
        <ExportImport key={chosen.number} file={chosen.file} known={known} over={over} onClose={onClose} />
      )}
      {!chosen && (
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" disabled>
            {over ? 'Replace workspace' : open ? 'Import' : 'Import workspace'}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

function titleOf(over: Props['over'], open: Props['open']): string {
  if (over) return `Replace “${truncate(over.name, 60)}” from file`;
  return open ? `Import into “${truncate(open.name, 60)}”` : 'Import workspace';
}
