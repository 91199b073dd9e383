/** The scene as it is now, made once for each state of what it depends on, shared by elements, canvas drawing and gestures. */
import type { Point, Rect } from '@/core/scene/geometry';
import { memoizeLast } from '@/core/scene/memoize';
import { buildScene, nodeRects, type Scene, updateScene } from '@/core/scene/scene';
import type { Rows } from '@/core/sync/rows';
import { useWorkspace } from '@/workspace/store';
import { useInteraction } from './interaction';
import { useView } from './view';

const EMPTY: Scene = {
  nodes: [],
  lines: [],
  indexOf: new Map(),
  hidden: new Map(),
  containment: { parent: new Map(), children: new Map() },
};

interface Made {
  component: Rows['component'];
  relationship: Rows['relationship'];
  collapsed: ReadonlySet<string>;
  scene: Scene;
}

let last: Made | null = null;

/** What a scene is made of: a change of processes or stakeholders makes no other one, and a move not all of it. */
function sceneOf({ component, relationship }: Rows, collapsed: ReadonlySet<string>): Scene {
  const isLike = last?.relationship === relationship && last.collapsed === collapsed;
  if (last && isLike && last.component === component) return last.scene;
  const again = last && isLike ? updateScene(last.scene, last.component, component) : null;
  const scene = again ?? buildScene({ component, relationship }, collapsed);
  last = { component, relationship, collapsed, scene };
  return scene;
}

const committed = memoizeLast((scene: Scene) => nodeRects(scene));
const placed = memoizeLast((scene: Scene, moving: ReadonlyMap<string, Point> | null) =>
  nodeRects(scene, moving),
);

export function currentScene(): Scene {
  const { rows } = useWorkspace.getState();
  return rows ? sceneOf(rows, useView.getState().collapsed) : EMPTY;
}

/** Where the scene's nodes are, with a drag applied. */
export function currentRects(): Rect[] {
  return placed(currentScene(), useInteraction.getState().moving);
}

/** Where they are without the drag. */
export function committedRects(): Rect[] {
  return committed(currentScene());
}

export function useScene(): Scene {
  useWorkspace((state) => state.rows?.component);
  useWorkspace((state) => state.rows?.relationship);
  useView((view) => view.collapsed);
  return currentScene();
}

export function useRects(): Rect[] {
  useScene();
  useInteraction((interaction) => interaction.moving);
  return currentRects();
}
