/** Which window over everything is open: the palette, or the list of keys. */
import { create } from 'zustand';

export const useDialogs = create<{ open: 'palette' | 'keys' | null }>()(() => ({ open: null }));

export function openDialog(open: 'palette' | 'keys' | null): void {
  useDialogs.setState({ open });
}
