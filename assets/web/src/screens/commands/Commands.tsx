/** Present on every signed-in page: shortcuts, command palette and list of shortcuts. */

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
