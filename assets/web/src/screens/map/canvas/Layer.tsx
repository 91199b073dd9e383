/** The canvas under the elements: boxes, lines, and the overview. It is drawn in step with the elements over it. */
import { useStore } from '@xyflow/react';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { GRID } from '@/core/scene/geometry';
import { useView } from '../view';
import styles from './Canvas.module.css';
import { useCamera } from './camera';
import { useHold } from './hold';
import { ink, onInkChange } from './ink';
import { useLooks } from './looks';
import { type Picture, paint } from './paint';
import { usePlaces, useScene } from './scenes';

/** More than this is not seen, and costs. */
const FINEST = 2;

export function Layer() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onInkChange(again), []);
  const [x, y, zoom] = useStore((state) => state.transform);
  const { width, height, far } = useCamera();
  const scene = useScene();
  const rects = usePlaces();
  const looks = useLooks();
  const { selectedComponents, selectedRelationships, highlight } = useView();
  const hovered = useHold((hold) => hold.hovered);
  const moving = useHold((hold) => hold.moving);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || width === 0) return;
    layGrid(context.canvas.closest('section'), x, y, zoom);
    const ratio = Math.min(devicePixelRatio, FINEST);
    fitTo(context.canvas, width, height, ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const picture: Picture = {
      scene,
      rects,
      viewport: { x, y, zoom },
      width,
      height,
      looks,
      ink: ink(),
      far,
      lines: true,
      selectedComponents,
      selectedRelationships,
      hovered,
      highlight,
    };
    paint(context, picture);
    if (!context.canvas.dataset.painted && scene.nodes.length > 0) {
      context.canvas.dataset.painted = '';
      // For whoever measures: from here on the map can be used.
      performance.mark('planroom.map');
    }
  });
  return <canvas ref={canvas} className={styles.layer} aria-hidden data-moving={moving ? '' : undefined} />;
}

/** Setting the size of a canvas empties it, and takes time: only when it is another. */
export function fitTo(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
}

/** Moves the dots of the sheet with the map; from far every fifth of them, and further out again every fifth. */
function layGrid(sheet: HTMLElement | null, x: number, y: number, zoom: number): void {
  if (!sheet) return;
  let step = GRID * zoom;
  while (step < 12) step *= 5;
  sheet.style.backgroundSize = `${step}px ${step}px`;
  sheet.style.backgroundPosition = `${x - step / 2}px ${y - step / 2}px`;
}
