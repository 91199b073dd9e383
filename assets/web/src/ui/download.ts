/** Downloads data as a file. `type` is the media type. */
export function download(name: string, type: string, content: Blob | string): void {
  const address = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser must start the download before the URL is revoked.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
