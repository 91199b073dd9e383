/**
 * The canvas under the elements: boxes, lines, and the overview. It is larger than what is seen, so that while the map
 * pans it is only shifted, and while it zooms scaled for a moment; what is dragged is drawn on another one over it.
 */
import { useStore } from '@xyflow/react';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { GRID_SIZE, type Rect } from '@/core/scene/geometry';
import type { Scene } from '@/core/scene/scene';
import { useAppearance } from '@/map/drawing/appearance';
import { DoubleBuffer, prepareCanvas, resizeCanvas } from '@/map/drawing/doubleBuffer';
import type { MapDrawing } from '@/map/drawing/drawing';
import { nodeHighlights } from '@/map/drawing/highlights';
import { paint } from '@/map/drawing/paint';
import { onThemeColorsChange, themeColors } from '@/map/drawing/themeColors';
import { useCamera, type Viewport } from '@/map/state/camera';
import { useInteraction } from '@/map/state/interaction';
import { committedRects, useRects, useScene } from '@/map/state/scenes';
import { useView } from '@/map/state/view';
import styles from './Canvas.module.css';

/** When nothing has moved for so long, it is drawn sharp and with its border anew. */
const SHARPEN_DELAY_MS = 120;

export function CanvasLayer() {
  const one = useRef<HTMLCanvasElement>(null);
  const other = useRef<HTMLCanvasElement>(null);
  const top = useRef<HTMLCanvasElement>(null);
  const buffer = useRef<DoubleBuffer>(null);
  const [turn, again] = useReducer((count: number) => count + 1, 0);
  const [, onShown] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onThemeColorsChange(again), []);
  useLayoutEffect(() => {
    const [front, back] = [one.current?.getContext('2d'), other.current?.getContext('2d')];
    if (!front || !back) return;
    const made = new DoubleBuffer(front, back, onShown);
    buffer.current = made;
    return () => made.stop();
  }, []);
  const [x, y, zoom] = useStore((state) => state.transform);
  const { width, height, isOverview, isAimed } = useCamera();
  const scene = useScene();
  const rects = useRects();
  const appearance = useAppearance();
  const { selectedComponents, selectedRelationships, highlight } = useView();
  const hovered = useInteraction((interaction) => interaction.hovered);
  const moving = useInteraction((interaction) => interaction.moving);
  const apart = moving ? movingNodes(scene, moving) : null;
  useLayoutEffect(() => {
    const over = top.current?.getContext('2d');
    const sheets = buffer.current;
    if (!sheets || !over || width === 0 || !isAimed) return;
    const viewport = { x, y, zoom };
    moveGrid(over.canvas.closest('section'), viewport);
    const image: MapDrawing = {
      scene,
      rects,
      viewport,
      width,
      height,
      appearance,
      colors: themeColors(),
      isOverview,
      lines: true,
      selectedComponents,
      selectedRelationships,
      hovered,
      highlight,
      highlights: nodeHighlights(scene, highlight),
    };
    const resting: readonly Rect[] = apart ? committedRects() : rects;
    const given = [
      scene,
      resting,
      appearance,
      isOverview,
      selectedComponents,
      selectedRelationships,
      hovered,
      highlight,
    ];
    sheets.show({
      given: [...given, width, height, turn, apart ? [...apart].join() : ''],
      drawing: { ...image, rects: resting, without: apart },
    });
    const missing = missingNodes(sheets.displayed, image, apart);
    if (missing) paint(over, prepareCanvas(over, missing, 0));
    else if (over.canvas.width > 1) resizeCanvas(over.canvas, 1, 1, 1);
    if (!over.canvas.dataset.painted && scene.nodes.length > 0) {
      over.canvas.dataset.painted = '';
      // For whoever measures: from here on the map can be used.
      performance.mark('planroom.map');
    }
    if (sheets.isSharp) return;
    const timer = setTimeout(() => sheets.sharpen(), SHARPEN_DELAY_MS);
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
function missingNodes(
  shown: MapDrawing | null,
  image: MapDrawing,
  apart: ReadonlySet<number> | null,
): MapDrawing | null {
  // What has come to rest stays here until the drawing below has it.
  const isSame = shown?.scene.nodes.length === image.scene.nodes.length;
  const only = apart ?? (isSame ? shown?.without : null);
  if (only) return { ...image, only };
  return shown && image.isOverview && !shown.isOverview ? { ...image, lines: false, groups: false } : null;
}

/** Places of the nodes that move, where all others stay; null when a box changes with them, for then all is drawn. */
function movingNodes(scene: Scene, moving: ReadonlyMap<string, unknown>): ReadonlySet<number> | null {
  const apart = new Set<number>();
  for (const id of moving.keys()) {
    const at = scene.indexOf.get(id);
    const node = at === undefined ? undefined : scene.nodes[at];
    if (at === undefined || !node || node.isGroup || node.parent >= 0 || node.inside > 0) return null;
    apart.add(at);
  }
  return apart;
}

/** Moves the dots of the sheet with the map; from far every fifth of them, and further out again every fifth. */
function moveGrid(sheet: HTMLElement | null, { x, y, zoom }: Viewport): void {
  if (!sheet) return;
  let step = GRID_SIZE * zoom;
  while (step < 12) step *= 5;
  sheet.style.backgroundSize = `${step}px ${step}px`;
  sheet.style.backgroundPosition = `${x - step / 2}px ${y - step / 2}px`;
}
