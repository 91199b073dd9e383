/** Shortcuts, command palette and list of shortcuts, on every signed-in page. */

import { useKeyboardShortcuts } from '@/actions/useKeyboardShortcuts';
import { CommandPalette } from './CommandPalette';
import { KeyboardShortcuts } from './KeyboardShortcuts';

export default function Commands() {
  useKeyboardShortcuts();
  return (
    <>
      <CommandPalette />
      <KeyboardShortcuts />
    </>
  );
}
