/** Makes a text safe for use in a file name. */
export function fileName(text: string): string {
  const plain = text.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  return plain.slice(0, 60) || 'workspace';
}
