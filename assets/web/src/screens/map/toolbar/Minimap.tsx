/** The minimap: the whole map and the visible part. A click goes there. */
import { type PointerEvent, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { around, inflated, type Rect } from '@/core/scene/geometry';
import { look, useCamera } from '../canvas/camera';
import { fitTo } from '../canvas/easel';
import { useHold } from '../canvas/hold';
import { ink, onInkChange } from '../canvas/ink';
import { useLooks } from '../canvas/looks';
import { paint } from '../canvas/paint';
import { usePlaces, useScene } from '../canvas/scenes';
import { tonesOf } from '../canvas/tones';
import { useView } from '../view';
import styles from './Toolbar.module.css';

const WIDTH = 180;
const HEIGHT = 116;
/** Smaller maps need no minimap. */
const FEWEST = 12;
/** Delay after the last change before it is drawn again. */
const REST = 120;
const NONE: ReadonlySet<string> = new Set();

export function Minimap() {
  const scene = useScene();
  if (scene.nodes.length < FEWEST) return null;
  return <Drawn />;
}

function Drawn() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [turn, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onInkChange(again), []);
  const scene = useScene();
  const rects = usePlaces();
  const looks = useLooks();
  const highlight = useView((view) => view.highlight);
  const isMoving = useHold((hold) => hold.moving !== null);
  const bounds = inflated(around(rects) ?? { x: 0, y: 0, width: 1, height: 1 }, 100);
  const zoom = Math.min(WIDTH / bounds.width, HEIGHT / bounds.height);
  const left = WIDTH / 2 - (bounds.x + bounds.width / 2) * zoom;
  const top = HEIGHT / 2 - (bounds.y + bounds.height / 2) * zoom;
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again when the theme is another
  useLayoutEffect(() => {
    // Moving items are not drawn in every frame; at this scale they hardly change.
    const timer = setTimeout(draw, isMoving ? REST : 0);
    function draw() {
      const context = canvas.current?.getContext('2d');
      if (!context) return;
      const ratio = Math.min(devicePixelRatio, 2);
      fitTo(context.canvas, WIDTH, HEIGHT, ratio);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      paint(context, {
        scene,
        rects,
        viewport: { x: left, y: top, zoom },
        width: WIDTH,
        height: HEIGHT,
        looks,
        ink: ink(),
        far: true,
        lines: false,
        selectedComponents: NONE,
        selectedRelationships: NONE,
        hovered: [],
        highlight,
        tones: tonesOf(scene, highlight),
      });
    }
    return () => clearTimeout(timer);
  }, [scene, rects, looks, highlight, left, top, zoom, turn]);
  const go = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const { viewport, width, height } = useCamera.getState();
    const x = (event.clientX - box.left - left) / zoom;
    const y = (event.clientY - box.top - top) / zoom;
    look({ x: width / 2 - x * viewport.zoom, y: height / 2 - y * viewport.zoom, zoom: viewport.zoom });
  };
  return (
    <div
      className={styles.minimap}
      aria-hidden
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event)}
    >
      <canvas ref={canvas} style={{ width: WIDTH, height: HEIGHT }} />
      <Seen left={left} top={top} zoom={zoom} />
    </div>
  );
}

function Seen({ left, top, zoom }: { left: number; top: number; zoom: number }) {
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
      className={styles.seen}
      style={{ transform: `translate(${rect.x}px, ${rect.y}px)`, width: rect.width, height: rect.height }}
    />
  );
}
