/** The handles that resize the selected group. The keyboard has actions for the same purpose. */
import { ViewportPortal } from '@xyflow/react';
import { RESIZE_HANDLES } from '@/core/scene/resize';
import { useCamera } from '@/map/state/camera';
import { useInteraction } from '@/map/state/interaction';
import { useRects, useScene } from '@/map/state/scenes';
import { useView } from '@/map/state/view';
import { useCanEdit } from '@/workspace/model';
import styles from './Canvas.module.css';

export function GroupHandles() {
  const scene = useScene();
  const rects = useRects();
  const canEdit = useCanEdit();
  const [id, ...others] = useView((view) => view.selectedComponents);
  const isOverview = useCamera((camera) => camera.isOverview);
  const zoom = useCamera(({ viewport }) => viewport.zoom);
  const isDragging = useInteraction(({ drop, preview }) => drop !== null || preview !== null);
  const at = scene.indexOf.get(id ?? '') ?? -1;
  const rect = rects[at];
  if (!canEdit || isOverview || isDragging || others.length > 0 || !rect) return null;
  if (scene.nodes[at]?.id !== id || !scene.nodes[at]?.isGroup) return null;
  return (
    <ViewportPortal>
      {RESIZE_HANDLES.map(({ x, y }) => (
        <span
          key={`${x} ${y}`}
          className={styles.resize}
          data-resize={id}
          data-edges={`${x} ${y}`}
          aria-hidden
          style={{
            transform: `translate(${rect.x + ((x + 1) / 2) * rect.width}px, ${rect.y + ((y + 1) / 2) * rect.height}px) scale(${1 / zoom})`,
            cursor: cursorOf(x, y),
          }}
        />
      ))}
    </ViewportPortal>
  );
}

export function cursorOf(x: number, y: number): string {
  if (x === 0) return 'ns-resize';
  if (y === 0) return 'ew-resize';
  return x === y ? 'nwse-resize' : 'nesw-resize';
}
