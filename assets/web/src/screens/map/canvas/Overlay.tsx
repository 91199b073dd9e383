/** What hands draw over the map while they work: the frame of a selection, guides, a line on its way, a new name. */
import { useStore, ViewportPortal } from '@xyflow/react';
import { centre } from '@/core/scene/geometry';
import styles from './Canvas.module.css';
import { DraftEditor } from './DraftEditor';
import { useHold } from './hold';
import { usePlaces, useScene } from './scenes';

export function Overlay() {
  const draft = useHold((hold) => hold.draft);
  return (
    <>
      <Strokes />
      {draft && (
        <ViewportPortal>
          <DraftEditor key={`${draft.at.x} ${draft.at.y}`} draft={draft} />
        </ViewportPortal>
      )}
    </>
  );
}

function Strokes() {
  const frame = useHold((hold) => hold.frame);
  const guides = useHold((hold) => hold.guides);
  const wire = useHold((hold) => hold.wire);
  const [x, y, zoom] = useStore((state) => state.transform);
  const scene = useScene();
  const rects = usePlaces();
  if (!frame && guides.length === 0 && !wire) return null;
  const from = wire && rects[scene.indexOf.get(wire.from) ?? -1];
  const start = from && centre(from);
  return (
    <svg className={styles.strokes} aria-hidden>
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
          <line className={styles.wire} x1={start.x} y1={start.y} x2={wire.to.x} y2={wire.to.y} />
        )}
      </g>
    </svg>
  );
}
