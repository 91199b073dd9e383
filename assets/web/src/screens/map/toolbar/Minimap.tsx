/** The minimap: the whole map and the visible part. Clicking moves the map to that position. */
import { type PointerEvent, useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
import { boundingBox, expandRect, type Rect } from '@/core/scene/geometry';
import { useAppearance } from '@/map/drawing/appearance';
import { resizeCanvas } from '@/map/drawing/doubleBuffer';
import { nodeHighlights } from '@/map/drawing/highlights';
import { paint } from '@/map/drawing/paint';
import { onThemeColorsChange, themeColors } from '@/map/drawing/themeColors';
import { setViewport, useCamera } from '@/map/state/camera';
import { useInteraction } from '@/map/state/interaction';
import { useCommittedNotes } from '@/map/state/notes';
import { useRects, useScene } from '@/map/state/scenes';
import { useView } from '@/map/state/view';
import styles from './Toolbar.module.css';

const WIDTH = 180;
const HEIGHT = 116;
/** Smaller maps need no minimap. */
const MIN_COMPONENTS = 12;
/** Delay after the last change before it is drawn again. */
const REDRAW_DELAY_MS = 120;
const NONE: ReadonlySet<string> = new Set();

export function Minimap() {
  const scene = useScene();
  if (scene.nodes.length < MIN_COMPONENTS) return null;
  return <MinimapDrawing />;
}

function MinimapDrawing() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [themeVersion, onThemeChange] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onThemeColorsChange(onThemeChange), []);
  const scene = useScene();
  const rects = useRects();
  const appearance = useAppearance();
  const highlight = useView((view) => view.highlight);
  const isMoving = useInteraction((interaction) => interaction.moving !== null);
  const notes = useCommittedNotes();
  const frames = useMemo(() => notes.filter(({ note }) => note.kind === 'frame'), [notes]);
  const bounds = expandRect(
    boundingBox([...rects, ...notes.map(({ rect }) => rect)]) ?? { x: 0, y: 0, width: 1, height: 1 },
    100,
  );
  const zoom = Math.min(WIDTH / bounds.width, HEIGHT / bounds.height);
  const left = WIDTH / 2 - (bounds.x + bounds.width / 2) * zoom;
  const top = HEIGHT / 2 - (bounds.y + bounds.height / 2) * zoom;
  // biome-ignore lint/correctness/useExhaustiveDependencies: must be drawn again when the theme changes
  useLayoutEffect(() => {
    // Moving items are not drawn in every frame; at this scale they hardly change.
    const timer = setTimeout(draw, isMoving ? REDRAW_DELAY_MS : 0);
    function draw() {
      const context = canvas.current?.getContext('2d');
      if (!context) return;
      const ratio = Math.min(devicePixelRatio, 2);
      resizeCanvas(context.canvas, WIDTH, HEIGHT, ratio);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      paint(context, {
        scene,
        rects,
        viewport: { x: left, y: top, zoom },
        width: WIDTH,
        height: HEIGHT,
        appearance,
        colors: themeColors(),
        isOverview: true,
        routes: null,
        names: false,
        notes: frames,
        selectedComponents: NONE,
        selectedRelationships: NONE,
        hovered: [],
        highlight,
        highlights: nodeHighlights(scene, highlight),
      });
    }
    return () => clearTimeout(timer);
  }, [scene, rects, frames, appearance, highlight, left, top, zoom, themeVersion]);
  const go = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const { viewport, width, height } = useCamera.getState();
    const x = (event.clientX - box.left - left) / zoom;
    const y = (event.clientY - box.top - top) / zoom;
    setViewport({ x: width / 2 - x * viewport.zoom, y: height / 2 - y * viewport.zoom, zoom: viewport.zoom });
  };
  return (
    <div
      className={styles.minimap}
      data-minimap
      aria-hidden
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event)}
    >
      <canvas ref={canvas} style={{ width: WIDTH, height: HEIGHT }} />
      <MinimapViewport left={left} top={top} zoom={zoom} />
    </div>
  );
}

function MinimapViewport({ left, top, zoom }: { left: number; top: number; zoom: number }) {
  const { viewport, width, height } = useCamera();
  const scale = zoom / viewport.zoom;
  const rect: Rect = {
    x: left - viewport.x * scale,
    y: top - viewport.y * scale,
    width: width * scale,
    height: height * scale,
  };
  return (
    <span
      className={styles.viewport}
      style={{ transform: `translate(${rect.x}px, ${rect.y}px)`, width: rect.width, height: rect.height }}
    />
  );
}
