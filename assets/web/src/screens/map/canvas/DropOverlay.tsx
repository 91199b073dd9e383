/** Shows during a drag which group the dragged components enter or leave. */
import { ViewportPortal } from '@xyflow/react';
import type { CSSProperties } from 'react';
import { boundingBox } from '@/core/scene/geometry';
import { describeDrop } from '@/map/edits/drop';
import { rectOf } from '@/map/edits/room';
import { useCamera } from '@/map/state/camera';
import { useInteraction } from '@/map/state/interaction';
import { currentScene, useRects } from '@/map/state/scenes';
import styles from './Canvas.module.css';

export function DropOverlay() {
  const drop = useInteraction((interaction) => interaction.drop);
  const rects = useRects();
  const zoom = useCamera(({ viewport }) => viewport.zoom);
  if (!drop) return null;
  const { indexOf } = currentScene();
  const target = drop.target === null ? undefined : rectOf(drop.target);
  const dragged = boundingBox([...drop.ids].flatMap((id) => rects[indexOf.get(id) ?? -1] ?? []));
  return (
    <ViewportPortal>
      {target && (
        <div
          className={styles.dropTarget}
          data-drop-target={drop.target}
          style={{ ...at(target.x, target.y), width: target.width, height: target.height }}
        />
      )}
      {dragged && (
        <div
          className={styles.dropHint}
          data-drop-hint
          style={
            {
              transform: `${at(dragged.x, dragged.y).transform} scale(${1 / zoom}) translateY(calc(-100% - 8px))`,
            } as CSSProperties
          }
        >
          {describeDrop(drop)}
        </div>
      )}
    </ViewportPortal>
  );
}

function at(x: number, y: number) {
  return { transform: `translate(${x}px, ${y}px)` };
}
