/** The scene as it is now, made once for each state of what it depends on, for whoever asks: elements, paint, hands. */
import type { Point, Rect } from '@/core/scene/geometry';
import { once } from '@/core/scene/memoize';
import { placesOf, type Scene, sceneAgain, sceneOf } from '@/core/scene/scene';
import type { Rows } from '@/core/sync/rows';
import { usePlan } from '@/workspace/store';
import { useHold } from './interaction';
import { useView } from './view';

const EMPTY: Scene = {
  nodes: [],
  lines: [],
  indexOf: new Map(),
  hidden: new Map(),
  family: { parent: new Map(), parts: new Map() },
};

interface Made {
  component: Rows['component'];
  relationship: Rows['relationship'];
  collapsed: ReadonlySet<string>;
  scene: Scene;
}

let last: Made | null = null;

/** What a scene is made of: a change of processes or stakeholders makes no other one, and a move not all of it. */
function made({ component, relationship }: Rows, collapsed: ReadonlySet<string>): Scene {
  const isLike = last?.relationship === relationship && last.collapsed === collapsed;
  if (last && isLike && last.component === component) return last.scene;
  const again = last && isLike ? sceneAgain(last.scene, last.component, component) : null;
  const scene = again ?? sceneOf({ component, relationship }, collapsed);
  last = { component, relationship, collapsed, scene };
  return scene;
}

const resting = once((scene: Scene) => placesOf(scene));
const placed = once((scene: Scene, moving: ReadonlyMap<string, Point> | null) => placesOf(scene, moving));

export function currentScene(): Scene {
  const { rows } = usePlan.getState();
  return rows ? made(rows, useView.getState().collapsed) : EMPTY;
}

/** Where the scene's nodes are, with what hands are moving. */
export function currentPlaces(): Rect[] {
  return placed(currentScene(), useHold.getState().moving);
}

/** Where they are when hands are off. */
export function restPlaces(): Rect[] {
  return resting(currentScene());
}

export function useScene(): Scene {
  usePlan((plan) => plan.rows?.component);
  usePlan((plan) => plan.rows?.relationship);
  useView((view) => view.collapsed);
  return currentScene();
}

export function usePlaces(): Rect[] {
  useScene();
  useHold((hold) => hold.moving);
  return currentPlaces();
}
