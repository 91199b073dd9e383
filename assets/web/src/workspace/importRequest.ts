/** The import of files into the open workspace: whether its dialog is open, and the files that were dropped. */
import { create } from 'zustand';

export const useImportRequest = create<{ files: readonly File[] | null }>()(() => ({ files: null }));

/** Opens the dialog, with files if there are any. */
export function openImport(files: readonly File[] = []): void {
  useImportRequest.setState({ files });
}

export function closeImport(): void {
  useImportRequest.setState({ files: null });
}
