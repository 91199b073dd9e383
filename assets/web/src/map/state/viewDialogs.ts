/** The open dialog about views, if any. They are loaded on demand. */
import { create } from 'zustand';
import type { ViewDefinition } from '@/core/sync/viewRows';

export type ViewDialog =
  /** Creates a view with these rules. */
  | { kind: 'save'; definition: ViewDefinition; name: string; source: string }
  | { kind: 'rename'; address: string }
  /** Edits the rules of the open view. */
  | { kind: 'rules' }
  /** Asks whether to remove the selected components from the view or to delete them. */
  | { kind: 'remove' }
  /** Compares the members of a view with those of another one. */
  | { kind: 'compare'; address: string }
  /** Edits a tour; without an ID, a new one. */
  | { kind: 'tour'; id: string | null };

export const useViewDialog = create<{ open: ViewDialog | null }>()(() => ({ open: null }));

export function openViewDialog(open: ViewDialog): void {
  useViewDialog.setState({ open });
}

export function closeViewDialog(): void {
  useViewDialog.setState({ open: null });
}
