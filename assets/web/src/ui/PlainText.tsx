/** A Markdown text without its formatting, for example the beginning of a comment in a list. */
import { blocksText } from '@/core/notes/markdown';
import { truncate } from '@/core/text';
import { useNoteBlocks } from './noteBlocks';

export function PlainText({ text, maxChars }: { text: string; maxChars?: number }) {
  const plain = blocksText(useNoteBlocks(text));
  return maxChars === undefined ? plain : truncate(plain, maxChars);
}
