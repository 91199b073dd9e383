/** The scene as it is now, made once for each state of what it depends on, for whoever asks: elements, paint, hands. */
import type { Point, Rect } from '@/core/scene/geometry';
import { once } from '@/core/scene/once';
import { placesOf, type Scene, sceneOf } from '@/core/scene/scene';
import type { Rows } from '@/core/sync/rows';
import { usePlan } from '@/plan/store';
import { useView } from '../view';
import { useHold } from './hold';

const EMPTY: Scene = {
  nodes: [],
  lines: [],
  indexOf: new Map(),
  hidden: new Map(),
  family: { parent: new Map(), parts: new Map() },
};

// What a scene is made of: a change of processes or stakeholders makes no other one.
const made = once(
  (component: Rows['component'], relationship: Rows['relationship'], collapsed: ReadonlySet<string>) =>
    sceneOf({ component, relationship }, collapsed),
);
const resting = once((scene: Scene) => placesOf(scene));
const placed = once((scene: Scene, moving: ReadonlyMap<string, Point> | null) => placesOf(scene, moving));

export function currentScene(): Scene {
  const { rows } = usePlan.getState();
  return rows ? made(rows.component, rows.relationship, useView.getState().collapsed) : EMPTY;
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
