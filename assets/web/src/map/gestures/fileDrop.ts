/** Adds image files that are dropped on the map, and opens the import of other files. */
import { openImport } from '@/workspace/importRequest';
import { canEdit } from '@/workspace/model';
import { checkCanEdit } from '../edits/edits';
import { addImages } from '../edits/imageUpload';
import { toMapPoint } from '../state/camera';

/** Binds the events to the canvas. Returns a function that removes them. */
export function mountFileDrop(canvas: HTMLElement): () => void {
  const signal = new AbortController();
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
  const on = (name: 'dragover' | 'dragleave' | 'drop', handle: (event: DragEvent) => void) =>
    canvas.addEventListener(name, handle, { signal: signal.signal });
  on('dragover', (event) => {
    if (!hasFiles(event)) return;
    // Without this, the browser would open a dropped file instead of the map.
    event.preventDefault();
    if (canEdit()) canvas.dataset.fileOver = '';
  });
  on('dragleave', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && canvas.contains(relatedTarget))) delete canvas.dataset.fileOver;
  });
  on('drop', (event) => {
    delete canvas.dataset.fileOver;
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (!checkCanEdit()) return;
    const files = [...(event.dataTransfer?.files ?? [])];
    const images = files.filter(({ type }) => type.startsWith('image/'));
    const others = files.filter((file) => !images.includes(file));
    if (images.length > 0) void addImages(images, toMapPoint({ x: event.clientX, y: event.clientY }));
    if (others.length > 0) openImport(others);
  });
  return () => {
    signal.abort();
    delete canvas.dataset.fileOver;
  };
}
