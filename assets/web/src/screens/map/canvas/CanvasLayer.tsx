/**
 * The canvas below the elements, which shows groups, lines and the overview. It is larger than the visible part, so
 * that panning only shifts it, and zooming scales it temporarily. Dragged items are painted on a second canvas above
 * it.
 */
import { useStore } from '@xyflow/react';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { GRID_SIZE, type Rect } from '@/core/scene/geometry';
import { memoizeLast } from '@/core/scene/memoize';
import type { Scene } from '@/core/scene/scene';
import { useAppearance } from '@/map/drawing/appearance';
import { DoubleBuffer, prepareCanvas, resizeCanvas } from '@/map/drawing/doubleBuffer';
import type { DrawingPart, MapDrawing } from '@/map/drawing/drawing';
import { nodeHighlights } from '@/map/drawing/highlights';
import { paint } from '@/map/drawing/paint';
import { onThemeColorsChange, themeColors } from '@/map/drawing/themeColors';
import { useCamera, type Viewport } from '@/map/state/camera';
import { useInteraction } from '@/map/state/interaction';
import { loadNoteImage, useNoteImages } from '@/map/state/noteImages';
import { committedNotes, useNotes } from '@/map/state/notes';
import { displayedRelated } from '@/map/state/related';
import { useRoutes, useRouting } from '@/map/state/routes';
import { committedRects, useRects, useScene } from '@/map/state/scenes';
import { useView } from '@/map/state/view';
import styles from './Canvas.module.css';

/** Delay after the last movement before the map is repainted at full resolution. */
const SHARPEN_DELAY_MS = 120;

export function CanvasLayer() {
  const first = useRef<HTMLCanvasElement>(null);
  const second = useRef<HTMLCanvasElement>(null);
  const top = useRef<HTMLCanvasElement>(null);
  const buffer = useRef<DoubleBuffer>(null);
  const [themeVersion, onThemeChange] = useReducer((count: number) => count + 1, 0);
  const [, onDisplayed] = useReducer((count: number) => count + 1, 0);
  useEffect(() => onThemeColorsChange(onThemeChange), []);
  useLayoutEffect(() => {
    const [front, back] = [first.current?.getContext('2d'), second.current?.getContext('2d')];
    if (!front || !back) return;
    const created = new DoubleBuffer(front, back, onDisplayed);
    buffer.current = created;
    return () => created.stop();
  }, []);
  const [x, y, zoom] = useStore((state) => state.transform);
  const { width, height, isOverview, isPositioned } = useCamera();
  const scene = useScene();
  const rects = useRects();
  const appearance = useAppearance();
  const { selectedComponents, selectedRelationships, highlight } = useView();
  const hovered = useInteraction((interaction) => interaction.hovered);
  const moving = useInteraction((interaction) => interaction.moving);
  const related = displayedRelated({ selectedComponents, selectedRelationships, highlight }, moving !== null);
  useRouting();
  const routes = useRoutes();
  const lifted = useRef<DrawingPart>(null);
  const lineDraft = useInteraction((interaction) => interaction.lineDraft);
  const movingNotes = useInteraction((interaction) => interaction.movingNotes);
  const notes = usePaintedNotes(isOverview);
  const apart = withNotes(
    moving
      ? liftedPart(scene, moving, routes.now.affected, lifted.current)
      : lineDraft
        ? draftedPart(lineDraft.id)
        : movingNotes && NOTHING,
    isOverview ? movingNotes : null,
    lifted.current,
  );
  lifted.current = apart;
  const restingNotes = apart?.notes ? { ...notes, notes: committedNotes() } : notes;
  useLayoutEffect(() => {
    const topContext = top.current?.getContext('2d');
    const doubleBuffer = buffer.current;
    if (!doubleBuffer || !topContext || width === 0 || !isPositioned) return;
    const viewport = { x, y, zoom };
    moveGrid(topContext.canvas.closest('section'), viewport);
    const image: MapDrawing = {
      scene: routes.scene,
      rects,
      viewport,
      width,
      height,
      appearance,
      colors: themeColors(),
      isOverview,
      routes: routes.now,
      ...notes,
      selectedComponents,
      selectedRelationships,
      hovered,
      highlight,
      related,
      highlights: nodeHighlights(scene, highlight),
    };
    const resting: readonly Rect[] = apart ? committedRects() : rects;
    const restingRoutes = apart ? routes.atRest : routes.now;
    const inputs = [
      scene,
      resting,
      restingRoutes,
      appearance,
      isOverview,
      selectedComponents,
      selectedRelationships,
      hovered,
      highlight,
      related,
      ...Object.values(restingNotes),
    ];
    doubleBuffer.show({
      inputs: [...inputs, width, height, themeVersion, apart],
      drawing: {
        ...image,
        ...restingNotes,
        scene,
        rects: resting,
        routes: restingRoutes,
        without: apart,
      },
    });
    const missing = missingNodes(doubleBuffer.displayed, image, apart);
    if (missing) paint(topContext, prepareCanvas(topContext, missing, 0));
    else if (topContext.canvas.width > 1) resizeCanvas(topContext.canvas, 1, 1, 1);
    if (!topContext.canvas.dataset.painted && scene.nodes.length > 0) {
      topContext.canvas.dataset.painted = '';
      // The benchmark measures the time until this mark.
      performance.mark('planroom.map');
    }
    if (doubleBuffer.isSharp) return;
    const timer = setTimeout(() => doubleBuffer.sharpen(), SHARPEN_DELAY_MS);
    return () => clearTimeout(timer);
  });
  return (
    <>
      <canvas ref={first} className={styles.layer} aria-hidden />
      <canvas ref={second} className={styles.layer} aria-hidden />
      <canvas ref={top} className={styles.layer} aria-hidden />
    </>
  );
}

const loadedImage = memoizeLast(
  (images: ReturnType<typeof useNoteImages.getState>['images']) => (id: string) => {
    const image = images.get(id);
    if (id && !image) void loadNoteImage(id);
    return image?.element;
  },
);

type PaintedNotes = Pick<MapDrawing, 'notes' | 'noteImage' | 'selectedNotes'>;

/** The notes to paint: those of the overview, where they have no elements. */
function usePaintedNotes(isOverview: boolean): PaintedNotes {
  const notes = useNotes();
  const images = useNoteImages((state) => state.images);
  const selectedNotes = useView((view) => view.selectedNotes);
  return isOverview ? { notes, noteImage: loadedImage(images), selectedNotes } : {};
}

/**
 * Items that are not painted on the main canvas yet: moved items, and components that have just entered the overview.
 */
function missingNodes(
  shown: MapDrawing | null,
  image: MapDrawing,
  apart: DrawingPart | null,
): MapDrawing | null {
  // Dropped items stay on this canvas until they are painted on the main canvas.
  const isSame = shown?.scene.nodes.length === image.scene.nodes.length;
  const only = apart ?? (isSame ? shown?.without : null);
  if (only) return { ...image, only };
  return shown && image.isOverview && !shown.isOverview ? { ...image, routes: null, groups: false } : null;
}

/**
 * The part of the map that is painted separately during a drag: moving nodes, their lines, and rerouted lines. Lines
 * that were rerouted once stay in this part, so that the main canvas is rarely repainted. Null if a group changes its
 * size, because then everything is repainted.
 */
function liftedPart(
  scene: Scene,
  moving: ReadonlyMap<string, unknown>,
  affected: ReadonlySet<string>,
  before: DrawingPart | null,
): DrawingPart | null {
  const nodes = movingNodes(scene, moving);
  if (!nodes) return null;
  const isSameDrag = before?.nodes.size === nodes.size && [...nodes].every((node) => before.nodes.has(node));
  if (!before || !isSameDrag) return { nodes, lines: affected };
  if ([...affected].every((id) => before.lines.has(id))) return before;
  return { nodes: before.nodes, lines: new Set([...before.lines, ...affected]) };
}

const NOTHING: DrawingPart = { nodes: new Set(), lines: new Set() };

/** The part with moving notes, which are painted only in the overview. */
function withNotes(
  part: DrawingPart | null,
  moving: ReadonlyMap<string, Rect> | null,
  before: DrawingPart | null,
): DrawingPart | null {
  if (!part || !moving) return part === NOTHING ? null : part;
  const isSame =
    before?.nodes === part.nodes && before.lines === part.lines && before.notes?.size === moving.size;
  return isSame ? before : { ...part, notes: new Set(moving.keys()) };
}

/** The part with a line whose layout is being changed. */
const draftedPart = memoizeLast((id: string): DrawingPart => ({ nodes: new Set(), lines: new Set([id]) }));

/** Indexes of moving nodes; null if a group changes its size. */
function movingNodes(scene: Scene, moving: ReadonlyMap<string, unknown>): ReadonlySet<number> | null {
  const nodes = new Set<number>();
  for (const id of moving.keys()) {
    const at = scene.indexOf.get(id);
    const node = at === undefined ? undefined : scene.nodes[at];
    if (at === undefined || !node || node.isGroup || node.parent >= 0 || node.inside > 0) return null;
    nodes.add(at);
  }
  return nodes;
}

/** Moves the grid with the map. When zoomed out, shows only every fifth dot, then every twenty-fifth. */
function moveGrid(sheet: HTMLElement | null, { x, y, zoom }: Viewport): void {
  if (!sheet) return;
  let step = GRID_SIZE * zoom;
  while (step < 12) step *= 5;
  sheet.style.backgroundSize = `${step}px ${step}px`;
  sheet.style.backgroundPosition = `${x - step / 2}px ${y - step / 2}px`;
}
