/** Adds a component to the open view that is dragged from the side panel onto the map. */
import { NODE_SIZE, snapToGrid } from '@/core/scene/geometry';
import { addToView } from '../edits/views';
import { toMapPoint } from '../state/camera';
import { openView } from '../state/openView';

/** The type of the dragged data: the ID of a component. */
export const COMPONENT_DRAG_TYPE = 'application/x-planroom-component';

/** Binds the events to the canvas. Returns a function that removes them. */
export function mountComponentDrop(canvas: HTMLElement): () => void {
  const signal = new AbortController();
  const isDragged = ({ dataTransfer }: DragEvent) =>
    openView() !== null && (dataTransfer?.types.includes(COMPONENT_DRAG_TYPE) ?? false);
  canvas.addEventListener(
    'dragover',
    (event) => {
      if (!isDragged(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    },
    { signal: signal.signal },
  );
  canvas.addEventListener(
    'drop',
    (event) => {
      const id = event.dataTransfer?.getData(COMPONENT_DRAG_TYPE);
      if (!isDragged(event) || !id) return;
      event.preventDefault();
      const { x, y } = toMapPoint({ x: event.clientX, y: event.clientY });
      addToView([id], {
        x: snapToGrid(x - NODE_SIZE.width / 2),
        y: snapToGrid(y - NODE_SIZE.height / 2),
      });
    },
    { signal: signal.signal },
  );
  return () => signal.abort();
}
