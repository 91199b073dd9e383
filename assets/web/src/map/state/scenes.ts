/**
 * The current scene and positions, of the map or of the open view, memoized and shared by elements, canvas drawing and
 * gestures.
 */
import { type CardSizes, type ContentOf, cardSizes } from '@/core/scene/cardSizes';
import type { Drop } from '@/core/scene/drop';
import type { Rect } from '@/core/scene/geometry';
import { memoizeLast } from '@/core/scene/memoize';
import {
  buildScene,
  nodeRects,
  type Placement,
  type Scene,
  type SceneRows,
  updateScene,
} from '@/core/scene/scene';
import type { Rows } from '@/core/sync/rows';
import { useCatalogue } from '@/data/queries';
import { currentModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { useTypes } from '@/workspace/types';
import { contentOf } from './cardContent';
import { shownDetails, useCardDetails } from './cardDetails';
import { useInteraction } from './interaction';
import { useView } from './view';
import { shownRows, useViewContents } from './viewContents';

const EMPTY: Scene = {
  nodes: [],
  lines: [],
  indexOf: new Map(),
  hidden: new Map(),
  containment: { parent: new Map(), children: new Map() },
};

interface CachedScene {
  component: Rows['component'];
  relationship: Rows['relationship'];
  lifted: SceneRows['lifted'];
  collapsed: ReadonlySet<string>;
  scene: Scene;
}

let last: CachedScene | null = null;

/** The scene of the rows. It does not depend on processes or stakeholders, and moves only update it. */
function sceneOf({ component, relationship, lifted }: SceneRows, collapsed: ReadonlySet<string>): Scene {
  const isReusable =
    last?.relationship === relationship && last.lifted === lifted && last.collapsed === collapsed;
  if (last && isReusable && last.component === component) return last.scene;
  const updated = last && isReusable ? updateScene(last.scene, last.component, component) : null;
  const scene = updated ?? buildScene({ component, relationship, lifted }, collapsed);
  last = { component, relationship, lifted, collapsed, scene };
  return scene;
}

const NO_SIZES: CardSizes = [];
const sized = memoizeLast((scene: Scene, content: ContentOf) => cardSizes(scene, content));
const committed = memoizeLast((scene: Scene, sizes: CardSizes) => nodeRects(scene, null, sizes));
const placed = memoizeLast(
  (scene: Scene, sizes: CardSizes, moving: ReadonlyMap<string, Placement>, drop: Drop | null) =>
    nodeRects(scene, moving, sizes, drop?.ids),
);

/**
 * The sizes of the scene's cards. They do not change during a drag; dropping a card close to a larger card shrinks the
 * larger one.
 */
export function currentSizes(): CardSizes {
  const model = currentModel();
  if (!model) return NO_SIZES;
  const content = contentOf(model.catalogue, model.customTypes, model.stakeholders, shownDetails());
  return sized(currentScene(), content);
}

/** The scene as it would be with a previewed layout, which removes waypoints. */
const rerouted = memoizeLast((scene: Scene, ids: ReadonlySet<string>): Scene => {
  const lines = scene.lines.map((line) =>
    line.layout && ids.has(line.id) ? { ...line, layout: { ...line.layout, via: [] } } : line,
  );
  return { ...scene, lines };
});

export function currentScene(): Scene {
  const rows = shownRows();
  if (!rows) return EMPTY;
  const scene = sceneOf(rows, useView.getState().collapsed);
  const { preview } = useInteraction.getState();
  return preview && preview.rerouted.size > 0 ? rerouted(scene, preview.rerouted) : scene;
}

/** The rectangles of the nodes, including the current drag. */
export function currentRects(): Rect[] {
  const { moving, drop } = useInteraction.getState();
  return moving ? placed(currentScene(), currentSizes(), moving, drop) : committedRects();
}

/** The rectangles of the nodes, excluding the current drag. */
export function committedRects(): Rect[] {
  return committed(currentScene(), currentSizes());
}

export function useScene(): Scene {
  useViewContents();
  useView((view) => view.collapsed);
  useInteraction(({ preview }) => preview?.rerouted);
  return currentScene();
}

export function useRects(): Rect[] {
  useScene();
  useCatalogue();
  useTypes((state) => state.types);
  useWorkspace((state) => state.rows?.stakeholder);
  useCardDetails();
  useInteraction((interaction) => interaction.moving);
  useInteraction((interaction) => interaction.drop);
  return currentRects();
}
