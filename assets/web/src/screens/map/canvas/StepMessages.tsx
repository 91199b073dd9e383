/** The messages of a process on their lines, above the components, and the dot that moves along the current line. */
import { useStore, ViewportPortal } from '@xyflow/react';
import { memo, useEffect, useMemo, useRef } from 'react';
import { textWidth } from '@/core/drawing/textMetrics';
import { center, type Point, type Rect } from '@/core/scene/geometry';
import { middleOfPath } from '@/core/scene/linePath';
import { nearestFree } from '@/core/scene/nearestFree';
import { handleRect } from '@/core/scene/scene';
import { labelScale } from '@/map/drawing/detail';
import { type MessageLines, messagePath } from '@/map/drawing/messagePaths';
import { useCamera } from '@/map/state/camera';
import { usePlayback } from '@/map/state/playback';
import { useRoutes } from '@/map/state/routes';
import { useRects } from '@/map/state/scenes';
import { type HighlightMessage, useView } from '@/map/state/view';
import { useMedia } from '@/ui/useMedia';
import styles from './StepMessages.module.css';

/** The sizes of the style sheet, in pixels. */
const FONT_SIZE = 14;
const LINE_HEIGHT = 1.15;
const FRAME_WIDTH = 28;
const FRAME_HEIGHT = 8;
/** Maximum distance between a message and its position on the line, in map units. */
const MAX_SHIFT = 200;

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
  const onLines = useMemo(() => {
    const lines = { scene: routes.scene, rects, routes: routes.now, isOverview };
    return messages.flatMap((message) => placeMessage(lines, message) ?? []);
  }, [messages, routes, rects, isOverview]);
  const placed = useMemo(() => {
    // Long messages are wider than the gap between two cards.
    const obstacles = routes.scene.nodes.map((node, at) => handleRect(node, rects[at] as Rect));
    return onLines.map((one) =>
      one.message.text === '' ? one : { ...one, at: freeCenter(one, scale, obstacles) },
    );
  }, [onLines, routes, rects, scale]);
  const current = placed.find(({ message }) => message.tone === 'current');
  return (
    <div className={styles.layer} aria-hidden>
      {placed.map(({ message, at, rows }) => (
        <div
          key={`${message.from} ${message.to} ${message.steps}`}
          className={styles.message}
          data-step-message={message.steps}
          data-current={message.tone === 'current' || undefined}
          style={{ transform: `translate(${at.x}px, ${at.y}px) translate(-50%, -50%) scale(${scale})` }}
        >
          <span className={styles.steps}>{message.steps}</span>
          {message.text && <span className={styles.text}>{rows.join('\n')}</span>}
        </div>
      ))}
      {current && <MovingDot step={current.message.steps} points={current.points} scale={scale} />}
    </div>
  );
}

/** The position of a message: that of a label with the same text. */
function placeMessage(lines: MessageLines, message: HighlightMessage): Placed | undefined {
  const path = messagePath(lines, message);
  if (!path) return undefined;
  const text = message.text.replace(/\s+/g, ' ');
  const label = lines.routes.placeLabel(path.line, path.points, `${message.steps}  ${text}`);
  const at = label ? center(label) : middleOfPath({ points: path.points, isCurve: false });
  // The number is shown separately, and is in the first row.
  const rows = label?.rows.map((row, index) => (index === 0 ? row.slice(message.steps.length) : row));
  return { message, at, rows: (rows ?? [text]).join('\n').trim().split('\n'), points: path.points };
}

/** The nearest position to the center of a message in which it covers no card. */
function freeCenter({ at, rows, message }: Placed, scale: number, obstacles: readonly Rect[]): Point {
  const longest = Math.max(...[...rows, ''].map((row) => textWidth(row, FONT_SIZE)));
  const width = (longest + textWidth(message.steps, FONT_SIZE) + FRAME_WIDTH) * scale;
  const height = (rows.length * FONT_SIZE * LINE_HEIGHT + FRAME_HEIGHT) * scale;
  const rect = { x: at.x - width / 2, y: at.y - height / 2, width, height };
  return center(nearestFree(rect, obstacles, MAX_SHIFT));
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
