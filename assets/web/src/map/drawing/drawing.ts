/** What is drawn, and what of it steps back: what all who draw the map have in common. */
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
  /** Whether the components are drawn here too, because there are no elements for them. */
  isOverview: boolean;
  /** Whether lines are drawn. */
  lines: boolean;
  /** Whether boxes are, unless told. */
  groups?: boolean;
  selectedComponents: ReadonlySet<string>;
  selectedRelationships: ReadonlySet<string>;
  hovered: readonly string[];
  highlight: Highlight | null;
  /** The nodes that are lit by it. */
  highlights: ReadonlyMap<string, HighlightKind>;
  /** Places of nodes that are left out with their lines, or that alone are drawn with theirs. */
  without?: ReadonlySet<number> | null;
  only?: ReadonlySet<number>;
}

export type DrawingContext = CanvasRenderingContext2D;

/** Whether a node steps back, because of a filter or of what is lit. */
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
