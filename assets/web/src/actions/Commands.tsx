/** Present on every signed-in page: shortcuts, command palette and list of shortcuts. */
import { Keys } from '@/ui/Keys';
import { Palette } from '@/ui/Palette';
import { useKeys } from './useKeys';

export default function Commands() {
  useKeys();
  return (
    <>
      <Palette />
      <Keys />
    </>
  );
}
