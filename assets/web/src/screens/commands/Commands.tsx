/** What is there on every signed-in page: the keys of all actions, the palette, and the list of keys. */

import { useKeys } from '@/actions/useKeyboardShortcuts';
import { Palette } from './CommandPalette';
import { Keys } from './KeyboardShortcuts';

export default function Commands() {
  useKeys();
  return (
    <>
      <Palette />
      <Keys />
    </>
  );
}
