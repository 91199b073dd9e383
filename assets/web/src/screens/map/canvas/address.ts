/** Keeps selection, place and zoom in the address, so that it can be sent to somebody, or opened again. */
import { useEffect } from 'react';
import { readAddress, writeAddress } from '@/core/scene/address';
import { around } from '@/core/scene/geometry';
import { usePlan } from '@/plan/store';
import { select, useView } from '../view';
import { camera, fitting, look, MAX_ZOOM, MIN_ZOOM, useCamera } from './camera';
import { currentPlaces, currentScene } from './scenes';

/** Browsers refuse addresses that change too often. */
const PAUSE = 350;

export function useAddress(): void {
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const isMeasured = useCamera((shown) => shown.width > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another workspace has another address
  useEffect(() => {
    if (!isMeasured) return;
    arrive();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const path = location.pathname;
    const write = () => {
      timer = undefined;
      if (location.pathname !== path) return;
      const query = writeAddress(location.search, {
        componentIds: [...useView.getState().selectedComponents],
        at: here(),
      });
      // Past the router: nothing that it shows depends on this, and every subscriber would be asked.
      const target = `${path}?${query}`;
      if (target !== `${path}${location.search}`) {
        History.prototype.replaceState.call(history, history.state, '', target);
      }
    };
    const later = () => {
      timer ??= setTimeout(write, PAUSE);
    };
    const stops = [
      useCamera.subscribe((now, before) => now.viewport !== before.viewport && later()),
      useView.subscribe((now, before) => now.selectedComponents !== before.selectedComponents && later()),
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

/** Looks where the address says: a place, else what it selects, else everything. */
function arrive(): void {
  const { componentIds, at } = readAddress(location.search);
  const scene = currentScene();
  const known = componentIds.filter((id) => scene.indexOf.has(id));
  select(known);
  const { width, height } = useCamera.getState();
  if (at) {
    const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, at.zoom));
    look({ x: width / 2 - at.x * zoom, y: height / 2 - at.y * zoom, zoom });
    return;
  }
  const all = around(currentPlaces());
  look(all ? fitting(all, width, height) : { x: width / 2, y: height / 2, zoom: 1 });
  if (known[0] !== undefined) camera.reveal(known[0]);
}
