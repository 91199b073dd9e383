/** What is there on every signed-in page: the keys of all actions, the palette, and the list of keys. */

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
