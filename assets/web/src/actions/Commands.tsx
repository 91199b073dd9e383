/** What is there on every signed-in page: the keys of all actions, the palette, and the list of keys. */
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
