/** The messages of a process on their lines, above the components, and the dot that moves along the current line. */
import { useStore, ViewportPortal } from '@xyflow/react';
import { memo, useEffect, useMemo, useRef } from 'react';
import { center, type Point } from '@/core/scene/geometry';
import { middleOfPath } from '@/core/scene/linePath';
import { labelScale } from '@/map/drawing/detail';
import { messagePath } from '@/map/drawing/messagePaths';
import { useCamera } from '@/map/state/camera';
import { usePlayback } from '@/map/state/playback';
import { useRoutes } from '@/map/state/routes';
import { useRects } from '@/map/state/scenes';
import { type HighlightMessage, useView } from '@/map/state/view';
import { useMedia } from '@/ui/useMedia';
import styles from './StepMessages.module.css';

export function StepMessages() {
  const messages = useView((view) => view.highlight?.messages);
  if (!messages || messages.length === 0) return null;
  return (
    <ViewportPortal>
      <Messages messages={messages} />
    </ViewportPortal>
  );
}

interface Placed {
  message: HighlightMessage;
  at: Point;
  rows: readonly string[];
  points: readonly Point[];
}

function Messages({ messages }: { messages: readonly HighlightMessage[] }) {
  const routes = useRoutes();
  const rects = useRects();
  const isOverview = useCamera((camera) => camera.isOverview);
  const scale = useStore((state) => labelScale(state.transform[2]));
  const placed = useMemo(() => {
    const lines = { scene: routes.scene, rects, routes: routes.now, isOverview };
    return messages.flatMap((message): Placed[] => {
      const path = messagePath(lines, message);
      if (!path) return [];
      const text = message.text.replace(/\s+/g, ' ');
      const label = routes.now.placeLabel(path.line, path.points, `${message.steps}  ${text}`);
      const at = label ? center(label) : middleOfPath({ points: path.points, isCurve: false });
      // The number is shown separately, and is in the first row.
      const rows = label?.rows.map((row, index) => (index === 0 ? row.slice(message.steps.length) : row));
      return [{ message, at, rows: rows ?? [text], points: path.points }];
    });
  }, [messages, routes, rects, isOverview]);
  const current = placed.find(({ message }) => message.tone === 'current');
  return (
    <div className={styles.layer} aria-hidden>
      {placed.map(({ message, at, rows }) => (
        <div
          key={`${message.from} ${message.to} ${message.steps}`}
          className={styles.message}
          data-step-message={message.steps}
          data-tone={message.tone}
          style={{ transform: `translate(${at.x}px, ${at.y}px) translate(-50%, -50%) scale(${scale})` }}
        >
          <span className={styles.steps}>{message.steps}</span>
          {message.text && <span className={styles.text}>{rows.join('\n').trim()}</span>}
        </div>
      ))}
      {current && <MovingDot step={current.message.steps} points={current.points} scale={scale} />}
    </div>
  );
}

/** A dot that moves from the sender to the receiver while the process plays. */
function MovingDot({ step, points, scale }: { step: string; points: readonly Point[]; scale: number }) {
  const time = usePlayback(({ messageTime }) => messageTime);
  const isReduced = useMedia('(prefers-reduced-motion: reduce)');
  if (time === null || isReduced || points.length < 2) return null;
  const path = points.map(({ x, y }) => `${x} ${y}`).join(' L ');
  return <Dot key={step} path={`path("M ${path}")`} time={time} scale={scale} />;
}

const Dot = memo(({ path, time, scale }: { path: string; time: number; scale: number }) => {
  const dot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const moving = dot.current?.animate([{ offsetDistance: '0%' }, { offsetDistance: '100%' }], {
      duration: time,
      easing: 'ease-in-out',
      fill: 'forwards',
    });
    return () => moving?.cancel();
  }, [time]);
  return (
    <div
      ref={dot}
      className={styles.dot}
      data-dot
      style={{ offsetPath: path, transform: `scale(${scale})` }}
    />
  );
});
