/** Gives the browser a file to keep. */
export function download(name: string, content: string | Blob, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: some browsers begin to read only after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A text as part of a file name. */
export function fileName(text: string): string {
  return (
    text
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 60) || 'workspace'
  );
}
