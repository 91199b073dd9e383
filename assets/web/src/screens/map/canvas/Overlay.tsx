/** What an interaction draws over the map: the frame of a selection, guides, a line on its way, a new name. */
import { useStore, ViewportPortal } from '@xyflow/react';
import { center, NODE_SIZE } from '@/core/scene/geometry';
import { HIGHLIGHT_MARKS } from '@/map/drawing/highlights';
import { useInteraction } from '@/map/state/interaction';
import { useRects, useScene } from '@/map/state/scenes';
import { useView } from '@/map/state/view';
import styles from './Canvas.module.css';
import { DraftEditor } from './DraftEditor';

export function Overlay() {
  const draft = useInteraction((interaction) => interaction.draft);
  return (
    <>
      <InteractionLines />
      <RemovedComponents />
      {draft && (
        <ViewportPortal>
          <DraftEditor key={`${draft.at.x} ${draft.at.y}`} draft={draft} />
        </ViewportPortal>
      )}
    </>
  );
}

/** What a comparison misses, where it was. */
function RemovedComponents() {
  const gone = useView((view) => view.highlight?.removed);
  if (!gone || gone.length === 0) return null;
  return (
    <ViewportPortal>
      {gone.map(({ id, name, x, y }) => (
        <div
          key={id}
          role="img"
          aria-label={`${name}, ${HIGHLIGHT_MARKS.removed.name}`}
          className={styles.removed}
          data-gone={id}
          data-tone="removed"
          style={{ transform: `translate(${x}px, ${y}px)`, width: NODE_SIZE.width, height: NODE_SIZE.height }}
        >
          <span className={styles.sign}>{HIGHLIGHT_MARKS.removed.sign}</span>
          <s>{name}</s>
        </div>
      ))}
    </ViewportPortal>
  );
}

function InteractionLines() {
  const frame = useInteraction((interaction) => interaction.frame);
  const guides = useInteraction((interaction) => interaction.guides);
  const wire = useInteraction((interaction) => interaction.connecting);
  const [x, y, zoom] = useStore((state) => state.transform);
  const scene = useScene();
  const rects = useRects();
  if (!frame && guides.length === 0 && !wire) return null;
  const from = wire && rects[scene.indexOf.get(wire.from) ?? -1];
  const start = from && center(from);
  return (
    <svg className={styles.lines} aria-hidden>
      <g transform={`translate(${x} ${y}) scale(${zoom})`}>
        {frame && <rect className={styles.frame} {...frame} />}
        {guides.map(({ axis, at, from: one, to: other }) =>
          axis === 'x' ? (
            <line key={`x${at}`} className={styles.guide} x1={at} x2={at} y1={one} y2={other} />
          ) : (
            <line key={`y${at}`} className={styles.guide} y1={at} y2={at} x1={one} x2={other} />
          ),
        )}
        {wire && start && (
          <line className={styles.connection} x1={start.x} y1={start.y} x2={wire.to.x} y2={wire.to.y} />
        )}
      </g>
    </svg>
  );
}
