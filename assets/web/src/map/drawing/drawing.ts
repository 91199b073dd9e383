/** A drawing of the map, including dimming and highlights. */
import type { PlacedNote } from '@/core/notes/note';
import type { LineRoutes } from '@/core/route/mapRoutes';
import type { Rect } from '@/core/scene/geometry';
import type { Scene, SceneNode } from '@/core/scene/scene';
import type { Viewport } from '../state/camera';
import type { Highlight, HighlightKind } from '../state/view';
import type { MapAppearance } from './appearance';
import type { ThemeColors } from './themeColors';

export interface MapDrawing {
  scene: Scene;
  rects: readonly Rect[];
  viewport: Viewport;
  width: number;
  height: number;
  appearance: MapAppearance;
  colors: ThemeColors;
  /** Whether components are painted on the canvas because they have no elements. */
  isOverview: boolean;
  /** The routes of lines; null if no lines are drawn. */
  routes: LineRoutes | null;
  /** Whether groups are painted; true by default. */
  groups?: boolean;
  /** Whether names other than those on cards are drawn. The minimap is too small for them. */
  names?: boolean;
  /** The notes to paint, in drawing order. Where notes have elements, none are painted. */
  notes?: readonly PlacedNote[];
  /** Returns the image with an ID. If it is not loaded, requests it, and the drawing is painted again later. */
  noteImage?: (imageId: string) => HTMLImageElement | undefined;
  selectedNotes?: ReadonlySet<string>;
  selectedComponents: ReadonlySet<string>;
  selectedRelationships: ReadonlySet<string>;
  hovered: readonly string[];
  highlight: Highlight | null;
  /** The nodes related to the selection, if others are dimmed. */
  related?: ReadonlySet<string> | null;
  /** The highlights by node. */
  highlights: ReadonlyMap<string, HighlightKind>;
  /** Parts to leave out, or to draw exclusively. */
  without?: DrawingPart | null;
  only?: DrawingPart;
}

/** Part of a map: nodes by index with their lines, and other lines and notes by ID. */
export interface DrawingPart {
  nodes: ReadonlySet<number>;
  lines: ReadonlySet<string>;
  notes?: ReadonlySet<string>;
}

export type DrawingContext = CanvasRenderingContext2D;

/** Whether a node is dimmed by a filter or a highlight. */
export function isDimmed(
  { component, id, isGroup }: SceneNode,
  appearance: MapAppearance,
  highlight: Highlight | null,
  tones: ReadonlyMap<string, HighlightKind>,
): boolean {
  if (tones.has(id)) return false;
  if (highlight?.dimOthers) return true;
  return !isGroup && !appearance.passes(component);
}
