/**
 * The canvas under the elements: boxes, lines, and the overview. It is larger than what is seen, so that while the map
 * pans it is only shifted, and while it zooms scaled for a moment; what is dragged is drawn on another one over it.
 */
import { useStore } from '@xyflow/react';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { GRID, type Rect } from '@/core/scene/geometry';
import type { Scene } from '@/core/scene/scene';
import { useLooks } from '@/map/drawing/appearance';
import { Easel, fitTo, prepared } from '@/map/drawing/doubleBuffer';
import type { Picture } from '@/map/drawing/drawing';
import { tonesOf } from '@/map/drawing/highlights';
import { paint } from '@/map/drawing/paint';
import { ink, onInkChange } from '@/map/drawing/themeColors';
import { useCamera, type Viewport } from '@/map/state/camera';
import { useHold } from '@/map/state/interaction';
import { restPlaces, usePlaces, useScene } from '@/map/state/scenes';
import { useView } from '@/map/state/view';
import styles from './Canvas.module.css';

/** When nothing has moved for so long, it is drawn sharp and with its border anew. */
const REST = 120;

export function Layer() {
  const one = useRef<HTMLCanvasElement>(null);
  const other = useRef<HTMLCanvasElement>(null);
  const top = useRef<HTMLCanvasElement>(null);
  const easel = useRef<Easel>(null);
  const [turn, again] = useReducer((count: number) => count + 1, 0);
  const [, onShown] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onInkChange(again), []);
  useLayoutEffect(() => {
    const [front, back] = [one.current?.getContext('2d'), other.current?.getContext('2d')];
    if (!front || !back) return;
    const made = new Easel(front, back, onShown);
    easel.current = made;
    return () => made.stop();
  }, []);
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
    const over = top.current?.getContext('2d');
    const sheets = easel.current;
    if (!sheets || !over || width === 0 || !isAimed) return;
    const viewport = { x, y, zoom };
    layGrid(over.canvas.closest('section'), viewport);
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
    sheets.show({
      given: [...given, width, height, turn, apart ? [...apart].join() : ''],
      picture: { ...picture, rects: resting, without: apart },
    });
    const missing = missingOf(sheets.shown, picture, apart);
    if (missing) paint(over, prepared(over, missing, 0));
    else if (over.canvas.width > 1) fitTo(over.canvas, 1, 1, 1);
    if (!over.canvas.dataset.painted && scene.nodes.length > 0) {
      over.canvas.dataset.painted = '';
      // For whoever measures: from here on the map can be used.
      performance.mark('planroom.map');
    }
    if (sheets.isSharp) return;
    const timer = setTimeout(() => sheets.sharpen(), REST);
    return () => clearTimeout(timer);
  });
  return (
    <>
      <canvas ref={one} className={styles.layer} aria-hidden />
      <canvas ref={other} className={styles.layer} aria-hidden />
      <canvas ref={top} className={styles.layer} aria-hidden />
    </>
  );
}

/** What the drawing below does not show, and must be seen now: what moves, and what the overview will show. */
function missingOf(
  shown: Picture | null,
  picture: Picture,
  apart: ReadonlySet<number> | null,
): Picture | null {
  // What has come to rest stays here until the drawing below has it.
  const isSame = shown?.scene.nodes.length === picture.scene.nodes.length;
  const only = apart ?? (isSame ? shown?.without : null);
  if (only) return { ...picture, only };
  return shown && picture.far && !shown.far ? { ...picture, lines: false, boxes: false } : null;
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

/** Moves the dots of the sheet with the map; from far every fifth of them, and further out again every fifth. */
function layGrid(sheet: HTMLElement | null, { x, y, zoom }: Viewport): void {
  if (!sheet) return;
  let step = GRID * zoom;
  while (step < 12) step *= 5;
  sheet.style.backgroundSize = `${step}px ${step}px`;
  sheet.style.backgroundPosition = `${x - step / 2}px ${y - step / 2}px`;
}
