/** Marks on components: which are new in the open view, and which open another view. */
import { ViewportPortal } from '@xyflow/react';
import { Layers } from 'lucide-react';
import type { Rect } from '@/core/scene/geometry';
import { overlaps } from '@/core/scene/geometry';
import { openedView } from '@/core/views/opens';
import { acceptNewMembers } from '@/map/edits/views';
import { useCamera, visibleRect } from '@/map/state/camera';
import { useViewAddress } from '@/map/state/openView';
import { useRects, useScene } from '@/map/state/scenes';
import { useViewContents } from '@/map/state/viewContents';
import { drillDown } from '@/map/state/viewNavigation';
import { useWorkspace } from '@/workspace/store';
import styles from './ViewMarks.module.css';

/** Maximum number of marks that are drawn. */
const MAX_MARKS = 300;

export function ViewMarks() {
  const isOverview = useCamera((camera) => camera.isOverview);
  const hasViews = useWorkspace((state) => (state.rows?.view.size ?? 0) > 0);
  const unplaced = useViewContents()?.unplaced;
  if (isOverview || (!hasViews && !unplaced)) return null;
  return <Marks unplaced={unplaced} />;
}

function Marks({ unplaced }: { unplaced: ReadonlyMap<string, unknown> | undefined }) {
  const scene = useScene();
  const rects = useRects();
  const rows = useWorkspace((state) => state.rows);
  const address = useViewAddress();
  // Marks outside of the visible part are not rendered.
  useCamera((camera) => camera.viewport);
  const seen = visibleRect();
  const shown = scene.nodes
    .flatMap(({ id, component }, at) => {
      const view = openedView(component, rows);
      const opens = view && view.id !== address ? view : undefined;
      const isNew = unplaced?.has(id) ?? false;
      const rect = rects[at] as Rect;
      return (opens || isNew) && overlaps(rect, seen)
        ? [{ id, name: component.name, opens, isNew, rect }]
        : [];
    })
    .slice(0, MAX_MARKS);
  if (shown.length === 0) return null;
  return (
    <ViewportPortal>
      {shown.map(({ id, name, opens, isNew, rect }) => (
        <div
          key={id}
          className={styles.marks}
          style={{ transform: `translate(${rect.x + rect.width}px, ${rect.y}px)`, height: rect.height }}
        >
          {isNew && (
            <button
              type="button"
              className={styles.new}
              data-new={id}
              title={`“${name}” is new in this view. Move it, or click to keep it here.`}
              onClick={() => acceptNewMembers([id])}
            >
              New
            </button>
          )}
          {opens && (
            <button
              type="button"
              className={styles.opens}
              data-opens={opens.id}
              tabIndex={-1}
              aria-label={`Open view ${opens.name}`}
              title={`Open view “${opens.name}” (Enter)`}
              onClick={() => drillDown(opens.id)}
            >
              <Layers size={13} aria-hidden />
            </button>
          )}
        </div>
      ))}
    </ViewportPortal>
  );
}
