/** The open global dialog: the command palette or the list of shortcuts. */
import { create } from 'zustand';

export const useDialogs = create<{ open: 'palette' | 'shortcuts' | null }>()(() => ({ open: null }));

export function openDialog(open: 'palette' | 'shortcuts' | null): void {
  useDialogs.setState({ open });
}
