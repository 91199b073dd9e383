/** Files that are dropped anywhere on a page. Returns whether files are dragged over it. */
import { useEffect, useRef, useState } from 'react';

export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const stop = new AbortController();
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
    // A dialog has its own place for files. Elements inside it are not covered by the page.
    const isInDialog = ({ target }: DragEvent) =>
      target instanceof Element && target.closest('[role="dialog"]') !== null;
    const on = (name: 'dragover' | 'dragleave' | 'drop', handle: (event: DragEvent) => void) =>
      addEventListener(name, handle, { signal: stop.signal });
    on('dragover', (event) => {
      if (!hasFiles(event)) return;
      // Without this, the browser would open a dropped file instead of the page.
      event.preventDefault();
      setIsOver(!isInDialog(event));
    });
    on('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setIsOver(false);
    });
    on('drop', (event) => {
      setIsOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0 && !isInDialog(event)) latest.current(files);
    });
    return () => stop.abort();
  }, []);
  return isOver;
}
