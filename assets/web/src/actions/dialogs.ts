/** The open global dialog: the command palette, the list of shortcuts, or the share links or sources of the workspace. */
import { create } from 'zustand';

type DialogName = 'palette' | 'shortcuts' | 'share' | 'sources';

export const useDialogs = create<{ open: DialogName | null }>()(() => ({ open: null }));

export function openDialog(open: DialogName | null): void {
  useDialogs.setState({ open });
}
