/** How the open workspace differs from its sources, as far as it is known. `map/state/drift.ts` loads it. */
import { create } from 'zustand';
import { type DriftIndex, NO_DRIFT } from '@/core/model/drift';

export const useDriftIndex = create<{ index: DriftIndex }>()(() => ({ index: NO_DRIFT }));

export function currentDrift(): DriftIndex {
  return useDriftIndex.getState().index;
}
