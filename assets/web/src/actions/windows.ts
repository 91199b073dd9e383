/** Which global dialog is open: the command palette or the list of shortcuts. */
import { create } from 'zustand';

export const useWindows = create<{ open: 'palette' | 'keys' | null }>()(() => ({ open: null }));

export function openWindow(open: 'palette' | 'keys' | null): void {
  useWindows.setState({ open });
}
