/** A text as part of a file name. */
export function fileName(text: string): string {
  const plain = text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return plain.slice(0, 60).trim() || 'workspace';
}
