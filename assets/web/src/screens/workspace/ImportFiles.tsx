/** The import of files into the open workspace. */
import { lazy, Suspense, useState } from 'react';
import { useCatalogue } from '@/data/queries';
import { closeImport, useImportRequest } from '@/workspace/importRequest';
import { useWorkspace } from '@/workspace/store';

/** Import code is loaded on demand. */
const ImportDialog = lazy(() =>
  import('@/screens/import/ImportDialog').then((module) => ({ default: module.ImportDialog })),
);
const CsvDialog = lazy(() =>
  import('@/screens/table/CsvDialog').then((module) => ({ default: module.CsvDialog })),
);

export function ImportFiles() {
  const files = useImportRequest((state) => state.files);
  const rows = useWorkspace((state) => state.rows);
  const { data: catalogue } = useCatalogue();
  const [table, setTable] = useState<string | null>(null);
  if (table !== null && rows && catalogue) {
    return (
      <Suspense fallback={null}>
        <CsvDialog text={table} rows={rows} catalogue={catalogue} onClose={() => setTable(null)} />
      </Suspense>
    );
  }
  if (!files || !rows) return null;
  const { id, name } = rows.workspace;
  const onTable = (text: string) => {
    closeImport();
    setTable(text);
  };
  return (
    <Suspense fallback={null}>
      <ImportDialog open={{ id, name, onTable }} files={files} onClose={closeImport} />
    </Suspense>
  );
}
