/** Hands a file to the browser to be saved. */
export function download(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has begun to read by then; a second keeps even a slow one from losing it.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A name of a file that every system takes. */
export function fileName(name: string, ending: string): string {
  const plain = name
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no file name has
    .replace(/[\u0000-\u001f<>:"/\\|?*\u007f]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|\.+$/g, '')
    .slice(0, 80)
    .trim();
  return `${plain || 'planroom'}.${ending}`;
}
