/** Which window over everything is open: the palette, or the list of keys. */
import { create } from 'zustand';

export const useWindows = create<{ open: 'palette' | 'keys' | null }>()(() => ({ open: null }));

export function openWindow(open: 'palette' | 'keys' | null): void {
  useWindows.setState({ open });
}
