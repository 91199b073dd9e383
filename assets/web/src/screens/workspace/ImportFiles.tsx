/** The import of files into the open workspace. */
import { useState } from 'react';
import { useCatalogue } from '@/data/queries';
import { ImportDialog } from '@/screens/import/ImportDialog';
import { CsvDialog } from '@/screens/table/CsvDialog';
import { closeImport, useImportRequest } from '@/workspace/importRequest';
import { useWorkspace } from '@/workspace/store';

export default function ImportFiles() {
  const files = useImportRequest((state) => state.files);
  const rows = useWorkspace((state) => state.rows);
  const { data: catalogue } = useCatalogue();
  const [table, setTable] = useState<string | null>(null);
  if (table !== null && rows && catalogue) {
    return <CsvDialog text={table} rows={rows} catalogue={catalogue} onClose={() => setTable(null)} />;
  }
  if (!files || !rows) return null;
  const { id, name } = rows.workspace;
  const onTable = (text: string) => {
    closeImport();
    setTable(text);
  };
  return <ImportDialog open={{ id, name, onTable }} files={files} onClose={closeImport} />;
}
