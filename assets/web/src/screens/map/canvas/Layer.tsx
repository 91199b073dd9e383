/**
 * The canvas under the elements: boxes, lines, and the overview. It is larger than what is seen, so that while the map
 * pans it is only shifted, and while it zooms scaled for a moment; what is dragged is drawn on a second one over it.
 */
import { useStore } from '@xyflow/react';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { GRID, type Rect } from '@/core/scene/geometry';
import type { Scene } from '@/core/scene/scene';
import { useView } from '../view';
import styles from './Canvas.module.css';
import { useCamera, type Viewport } from './camera';
import { useHold } from './hold';
import { ink, onInkChange } from './ink';
import { useLooks } from './looks';
import { type Picture, paint } from './paint';
import { restPlaces, usePlaces, useScene } from './scenes';
import { tonesOf } from './tones';

/** More than this is not seen, and costs. */
const FINEST = 2;
/** Pixels that are drawn beyond each border. */
const BEYOND = 160;
/** When nothing has moved for so long, it is drawn sharp and with its border anew. */
const REST = 120;

/** What was drawn last, and for which view. */
interface Drawn {
  given: readonly unknown[];
  viewport: Viewport;
}

export function Layer() {
  const base = useRef<HTMLCanvasElement>(null);
  const top = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Drawn>(null);
  const [turn, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onInkChange(again), []);
  const [x, y, zoom] = useStore((state) => state.transform);
  const { width, height, far, isAimed } = useCamera();
  const scene = useScene();
  const rects = usePlaces();
  const looks = useLooks();
  const { selectedComponents, selectedRelationships, highlight } = useView();
  const hovered = useHold((hold) => hold.hovered);
  const moving = useHold((hold) => hold.moving);
  const apart = moving ? apartOf(scene, moving) : null;
  useLayoutEffect(() => {
    const context = base.current?.getContext('2d');
    const over = top.current?.getContext('2d');
    if (!context || !over || width === 0 || !isAimed) return;
    const viewport = { x, y, zoom };
    layGrid(context.canvas.closest('section'), viewport);
    const picture: Picture = {
      scene,
      rects,
      viewport,
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
      tones: tonesOf(scene, highlight),
    };
    const resting: readonly Rect[] = apart ? restPlaces() : rects;
    const given = [scene, resting, looks, far, selectedComponents, selectedRelationships, hovered, highlight];
    const all = [...given, width, height, turn, apart ? [...apart].join() : ''];
    const still = () => {
      draw(context, { ...picture, rects: resting, without: apart }, BEYOND);
      drawn.current = { given: all, viewport };
    };
    if (drawn.current && isAlike(drawn.current.given, all) && canShift(drawn.current.viewport, viewport)) {
      shift(context.canvas, drawn.current.viewport, viewport);
    } else still();
    if (apart) draw(over, { ...picture, only: apart }, 0);
    else if (over.canvas.width > 1) fitTo(over.canvas, 1, 1, 1);
    if (!context.canvas.dataset.painted && scene.nodes.length > 0) {
      context.canvas.dataset.painted = '';
      // For whoever measures: from here on the map can be used.
      performance.mark('planroom.map');
    }
    const { viewport: last } = drawn.current ?? { viewport };
    if (last.x === x && last.y === y && last.zoom === zoom) return;
    const timer = setTimeout(still, REST);
    return () => clearTimeout(timer);
  });
  return (
    <>
      <canvas ref={base} className={styles.layer} aria-hidden />
      <canvas ref={top} className={styles.layer} aria-hidden />
    </>
  );
}

/** Places of the nodes that move, where all others stay; null when a box changes with them, for then all is drawn. */
function apartOf(scene: Scene, moving: ReadonlyMap<string, unknown>): ReadonlySet<number> | null {
  const apart = new Set<number>();
  for (const id of moving.keys()) {
    const at = scene.indexOf.get(id);
    const node = at === undefined ? undefined : scene.nodes[at];
    if (at === undefined || !node || node.isBox || node.parent >= 0 || node.inside > 0) return null;
    apart.add(at);
  }
  return apart;
}

function isAlike(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((part, at) => part === other[at]);
}

/** Whether what was drawn for one view still does for another. */
function canShift(from: Viewport, to: Viewport): boolean {
  const scale = to.zoom / from.zoom;
  if (scale !== 1) return scale > 0.7 && scale < 2.2;
  return Math.abs(to.x - from.x) <= BEYOND && Math.abs(to.y - from.y) <= BEYOND;
}

function shift(canvas: HTMLCanvasElement, from: Viewport, to: Viewport): void {
  const scale = to.zoom / from.zoom;
  const [x, y] = [to.x - (from.x + BEYOND) * scale, to.y - (from.y + BEYOND) * scale];
  canvas.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
}

function draw(context: CanvasRenderingContext2D, picture: Picture, beyond: number): void {
  const { canvas } = context;
  const { viewport } = picture;
  const [width, height] = [picture.width + 2 * beyond, picture.height + 2 * beyond];
  const ratio = Math.min(devicePixelRatio, FINEST);
  fitTo(canvas, width, height, ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.style.transform = `translate(${-beyond}px, ${-beyond}px)`;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const moved = { ...viewport, x: viewport.x + beyond, y: viewport.y + beyond };
  paint(context, { ...picture, viewport: moved, width, height });
}

/** Setting the size of a canvas empties it, and takes time: only when it is another. */
export function fitTo(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
}

/** Moves the dots of the sheet with the map; from far every fifth of them, and further out again every fifth. */
function layGrid(sheet: HTMLElement | null, { x, y, zoom }: Viewport): void {
  if (!sheet) return;
  let step = GRID * zoom;
  while (step < 12) step *= 5;
  sheet.style.backgroundSize = `${step}px ${step}px`;
  sheet.style.backgroundPosition = `${x - step / 2}px ${y - step / 2}px`;
}
