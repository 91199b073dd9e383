/**
 * The diagram of the current text, fitted into the pane or enlarged. While the text has errors, shows the last valid
 * diagram dimmed.
 */
import { Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { IconButton } from '@/ui/Button';
import { Diagram, diagramScale } from '@/ui/Diagram';
import { Loading } from '@/ui/Loading';
import styles from './Processes.module.css';
import type { ParsedText } from './useProcess';

interface Props {
  name: string;
  live: ParsedText;
  unmapped: ReadonlyMap<string, string>;
  stale: boolean;
  /** The index of the message to emphasize. */
  current?: number | undefined;
}

const ZOOM_STEP = 1.25;
const MIN_ZOOM = 0.2;
const MAX_ZOOM = 4;

export function DiagramPane({ name, live, unmapped, stale, current }: Props) {
  const pane = useRef<HTMLElement>(null);
  /** Null fits the diagram into the pane. */
  const [zoom, setZoom] = useState<number | null>(null);
  const isEmpty = live.reading && live.reading.steps.length === 0 && live.reading.participants.length === 0;
  const zoomBy = (factor: number) => {
    const scale = zoom ?? ((pane.current && diagramScale(pane.current)) || 1);
    setZoom(Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, scale * factor)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') zoomBy(ZOOM_STEP);
    else if (event.key === '-') zoomBy(1 / ZOOM_STEP);
    else if (event.key === '0') setZoom(null);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.diagram}>
      <section
        ref={pane}
        className={styles.pane}
        aria-label="Diagram"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {stale && live.drawing && (
          <p className={styles.stale}>Showing the last valid version. Fix the error to update the diagram.</p>
        )}
        {stale && !live.drawing && (
          <p className={styles.hint}>Fix the error in the text to see the diagram.</p>
        )}
        {isEmpty && !stale && (
          <p className={styles.hint}>
            No messages yet. Add one: <code>Reader-&gt;&gt;Cache: Get page</code>
          </p>
        )}
        {!live.drawing && !stale && !isEmpty && <Loading what="the diagram" />}
        {live.drawing && (
          <Diagram
            drawing={live.drawing}
            label={`Sequence diagram of ${name}`}
            marked={unmapped}
            stale={stale}
            current={current}
            zoom={zoom}
          />
        )}
      </section>
      {live.drawing && (
        <div className={styles.zoom} role="toolbar" aria-label="Diagram zoom">
          <IconButton
            label="Zoom out diagram"
            title="Zoom out (-)"
            icon={<Minus size={16} aria-hidden />}
            onClick={() => zoomBy(1 / ZOOM_STEP)}
          />
          {zoom !== null && <span className={styles.percent}>{Math.round(zoom * 100)}%</span>}
          <IconButton
            label="Zoom in diagram"
            title="Zoom in (+)"
            icon={<Plus size={16} aria-hidden />}
            onClick={() => zoomBy(ZOOM_STEP)}
          />
          <IconButton
            label="Fit diagram"
            title="Fit to width (0)"
            icon={<Maximize size={16} aria-hidden />}
            aria-pressed={zoom === null}
            onClick={() => setZoom(null)}
          />
        </div>
      )}
    </div>
  );
}
