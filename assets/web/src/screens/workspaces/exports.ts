/** Exports a workspace to a file. */
import { exportWorkspace, getSchema, getWorkspace, type Workspace } from '@/api/generated';
import { toRows } from '@/core/sync/rows';
import { sheetOf } from '@/core/table/sheetColumns';
import { queryClient } from '@/data/queries';
import { download, downloadCsv } from '@/ui/download';
import { fileName } from '@/ui/fileName';
import { showError } from '@/ui/Toasts';
import { loadTypes } from '@/workspace/types';
import { loadDirectory } from '@/workspace/useHolders';

/** Exports the whole workspace, for import into another instance. */
export async function exportJson({ id, name }: Pick<Workspace, 'id' | 'name'>): Promise<void> {
  try {
    const document = await exportWorkspace(id, {}, { timeout: 0 });
    const text = `${JSON.stringify(document, null, 2)}\n`;
    download(`${fileName(name)}.planroom.json`, 'application/json', text);
  } catch (error) {
    showError(error);
  }
}

/** Exports the components, for spreadsheets. */
export async function exportCsv({ id, name }: Pick<Workspace, 'id' | 'name'>): Promise<void> {
  try {
    const [bundle, catalogue, { holders, roles }, types] = await Promise.all([
      getWorkspace(id, undefined, { timeout: 0 }),
      queryClient.ensureQueryData({ queryKey: ['catalogue'], queryFn: () => getSchema() }),
      loadDirectory(),
      loadTypes(),
    ]);
    downloadCsv(name, sheetOf(toRows(bundle), catalogue, roles, holders, types));
  } catch (error) {
    showError(error);
  }
}
