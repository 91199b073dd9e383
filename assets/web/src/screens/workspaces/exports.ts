/** Exports a workspace to a file. */
import { exportWorkspace, readSchema, readWorkspace, type Workspace } from '@/api/generated';
import { queryClient } from '@/app/queries';
import { rowsOf } from '@/core/sync/rows';
import { allColumns } from '@/core/table/columns';
import { csvOf } from '@/core/table/csv';
import { linesOf } from '@/core/table/lines';
import { download } from '@/ui/download';
import { fileName } from '@/ui/fileName';
import { complain } from '@/ui/Toasts';

/** The whole workspace, for import by another instance. */
export async function exportJson({ id, name }: Pick<Workspace, 'id' | 'name'>): Promise<void> {
  try {
    const document = await exportWorkspace(id, { timeout: 0 });
    const text = `${JSON.stringify(document, null, 2)}\n`;
    download(`${fileName(name)}.planroom.json`, 'application/json', text);
  } catch (error) {
    complain(error);
  }
}

/** The components, for a spreadsheet. */
export async function exportCsv({ id, name }: Pick<Workspace, 'id' | 'name'>): Promise<void> {
  try {
    const [bundle, catalogue] = await Promise.all([
      readWorkspace(id, undefined, { timeout: 0 }),
      queryClient.ensureQueryData({ queryKey: ['catalogue'], queryFn: () => readSchema() }),
    ]);
    const lines = linesOf(rowsOf(bundle), catalogue, []);
    download(`${fileName(name)}.csv`, 'text/csv', csvOf(allColumns(lines, catalogue), lines));
  } catch (error) {
    complain(error);
  }
}
