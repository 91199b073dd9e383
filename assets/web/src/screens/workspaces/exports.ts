/** Exports a workspace to a file. */
import { exportWorkspace, readSchema, readWorkspace, type Workspace } from '@/api/generated';
import { toRows } from '@/core/sync/rows';
import { allColumns } from '@/core/table/columns';
import { componentRows } from '@/core/table/componentRows';
import { toCsv } from '@/core/table/csv';
import { queryClient } from '@/data/queries';
import { download } from '@/ui/download';
import { fileName } from '@/ui/fileName';
import { showError } from '@/ui/Toasts';

/** Exports the whole workspace, for import into another instance. */
export async function exportJson({ id, name }: Pick<Workspace, 'id' | 'name'>): Promise<void> {
  try {
    const document = await exportWorkspace(id, { timeout: 0 });
    const text = `${JSON.stringify(document, null, 2)}\n`;
    download(`${fileName(name)}.planroom.json`, 'application/json', text);
  } catch (error) {
    showError(error);
  }
}

/** Exports the components, for spreadsheets. */
export async function exportCsv({ id, name }: Pick<Workspace, 'id' | 'name'>): Promise<void> {
  try {
    const [bundle, catalogue] = await Promise.all([
      readWorkspace(id, undefined, { timeout: 0 }),
      queryClient.ensureQueryData({ queryKey: ['catalogue'], queryFn: () => readSchema() }),
    ]);
    const lines = componentRows(toRows(bundle), catalogue, []);
    download(`${fileName(name)}.csv`, 'text/csv', toCsv(allColumns(lines, catalogue), lines));
  } catch (error) {
    showError(error);
  }
}
