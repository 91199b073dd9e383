import { fileName } from './fileName';

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

/** Downloads a table, with a byte order mark, so that spreadsheets read the file as UTF-8. `name` has no extension. */
export function downloadCsv(name: string, csv: string): void {
  download(`${fileName(name)}.csv`, 'text/csv', `\ufeff${csv}`);
}
