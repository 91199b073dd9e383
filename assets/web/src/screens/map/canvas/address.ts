/** Keeps selection, place and zoom in the address, so that it can be sent to somebody, or opened again. */
import { useEffect } from 'react';
import { type MapAddress, readAddress, writeAddress } from '@/core/scene/address';
import { fullestPart } from '@/core/scene/first';
import { around, type Rect } from '@/core/scene/geometry';
import { usePlan } from '@/plan/store';
import { isNarrow } from '../panel/narrow';
import { select, useView } from '../view';
import { fitting, look, MAX_ZOOM, MIN_ZOOM, revealAgain, unfold, useCamera, type Viewport } from './camera';
import { currentPlaces, currentScene } from './scenes';

/** Browsers refuse addresses that change too often. */
const PAUSE = 350;

export function useAddress(): void {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const isMeasured = useCamera((shown) => shown.width > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace has another address
  useEffect(() => {
    if (!isMeasured) return;
    const asked = readAddress(location.search);
    choose(asked);
    // As long as nobody has looked elsewhere, what was asked for stays in the middle, whatever opens beside the map.
    let arrived: Viewport | null = arrive(asked);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const path = location.pathname;
    const write = () => {
      timer = undefined;
      if (location.pathname !== path) return;
      const { selectedComponents, selectedRelationships } = useView.getState();
      const query = writeAddress(location.search, {
        componentIds: [...selectedComponents],
        relationshipIds: [...selectedRelationships],
        at: arrived ? asked.at : here(),
      });
      // Past the router: nothing that it shows depends on this, and every subscriber would be asked.
      const target = query ? `${path}?${query}` : path;
      if (target !== `${path}${location.search}`) {
        History.prototype.replaceState.call(history, history.state, '', target);
      }
    };
    const later = () => {
      timer ??= setTimeout(write, PAUSE);
    };
    const stops = [
      useCamera.subscribe((now, before) => {
        const isResized = now.width !== before.width || now.height !== before.height;
        if (isResized && arrived && before.viewport === arrived) {
          // Of what this changes, it is asked once more.
          arrived = now.viewport;
          arrived = arrive(asked);
          revealAgain();
        } else if (now.viewport !== before.viewport && !isArriving) {
          arrived = null;
          later();
        }
      }),
      useView.subscribe((now, before) => {
        const isSame =
          now.selectedComponents === before.selectedComponents &&
          now.selectedRelationships === before.selectedRelationships;
        if (!isSame) later();
      }),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [workspaceId, isMeasured]);
}

function here() {
  const { viewport, width, height } = useCamera.getState();
  const { x, y, zoom } = viewport;
  return { x: (width / 2 - x) / zoom, y: (height / 2 - y) / zoom, zoom };
}

/** Selects what the address names, as far as it is there. */
function choose({ componentIds, relationshipIds }: MapAddress): void {
  const { rows } = usePlan.getState();
  const { selectedComponents, selectedRelationships } = useView.getState();
  // Where it names nothing, what was selected on another screen stays so.
  const isSilent = componentIds.length + relationshipIds.length === 0;
  select(
    [...(isSilent ? selectedComponents : componentIds)].filter((id) => rows?.component.has(id)),
    [...(isSilent ? selectedRelationships : relationshipIds)].filter((id) => rows?.relationship.has(id)),
  );
}

let isArriving = false;
const READABLE = 0.8;
/** On a phone a map begins no smaller than so. */
const BEGINNING = 0.6;

/**
 * Looks where the address says: a place, else what it selects, else everything; on a phone no more of it than can be
 * read. Answers where that is.
 */
function arrive({ componentIds, relationshipIds, at }: MapAddress): Viewport {
  isArriving = true;
  const { width, height } = useCamera.getState();
  if (at) {
    const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, at.zoom));
    look({ x: width / 2 - at.x * zoom, y: height / 2 - at.y * zoom, zoom }, true);
  } else {
    const { rows } = usePlan.getState();
    const ends = relationshipIds.flatMap((id) => {
      const line = rows?.relationship.get(id);
      return line ? [line.sourceId, line.targetId] : [];
    });
    const shown = [...componentIds, ...ends].filter((id) => rows?.component.has(id));
    for (const id of shown) unfold(id);
    const { indexOf } = currentScene();
    const places = currentPlaces();
    const all = around(places);
    const whole = all ? fitting(all, width, height) : { x: width / 2, y: height / 2, zoom: 1 };
    const rect = around(shown.flatMap((id) => places[indexOf.get(id) ?? -1] ?? []));
    // Of a large map, only so much that the names can be read.
    if (rect && whole.zoom < READABLE) look(fitting(rect, width, height, READABLE), true);
    else look((whole.zoom < BEGINNING && isNarrow() && beginning(width, height)) || whole, true);
  }
  isArriving = false;
  return useCamera.getState().viewport;
}

/** So much of the map as is read without searching for it. */
function beginning(width: number, height: number): Viewport | null {
  const { nodes } = currentScene();
  const places = currentPlaces().filter((_: Rect, at) => !nodes[at]?.isBox);
  const part = fullestPart(places, width / BEGINNING, height / BEGINNING);
  return part && { x: -part.x * BEGINNING, y: -part.y * BEGINNING, zoom: BEGINNING };
}
