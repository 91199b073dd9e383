/** What is drawn, and what of it steps back: what all who draw the map have in common. */
import type { Rect } from '@/core/scene/geometry';
import type { Scene, SceneNode } from '@/core/scene/scene';
import type { Viewport } from '../state/camera';
import type { Highlight, Tone } from '../state/view';
import type { Looks } from './appearance';
import type { Ink } from './themeColors';

export interface Picture {
  scene: Scene;
  rects: readonly Rect[];
  viewport: Viewport;
  width: number;
  height: number;
  looks: Looks;
  ink: Ink;
  /** Whether the components are drawn here too, because there are no elements for them. */
  far: boolean;
  /** Whether lines are drawn. */
  lines: boolean;
  /** Whether boxes are, unless told. */
  boxes?: boolean;
  selectedComponents: ReadonlySet<string>;
  selectedRelationships: ReadonlySet<string>;
  hovered: readonly string[];
  highlight: Highlight | null;
  /** The nodes that are lit by it. */
  tones: ReadonlyMap<string, Tone>;
  /** Places of nodes that are left out with their lines, or that alone are drawn with theirs. */
  without?: ReadonlySet<number> | null;
  only?: ReadonlySet<number>;
}

export type Context = CanvasRenderingContext2D;

/** Whether a node steps back, because of a filter or of what is lit. */
export function isDim(
  { component, id, isBox }: SceneNode,
  looks: Looks,
  highlight: Highlight | null,
  tones: ReadonlyMap<string, Tone>,
): boolean {
  if (tones.has(id)) return false;
  if (highlight?.dimOthers) return true;
  return !isBox && !looks.passes(component);
}
