/** Hands a file to the browser to be saved. `updateDraft` is its media type. */
export function download(name: string, type: string, content: Blob | string): void {
  const address = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has to begin before the address goes.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
