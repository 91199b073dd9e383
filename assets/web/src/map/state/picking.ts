/** Picking components: while it is active, a click on a component picks it instead of selecting or moving it. */
import { create } from 'zustand';

/** Receives the picked component, and whether it was picked by touch. */
export type Pick = (componentId: string, isTouch: boolean) => void;

export const usePicking = create<{ pick: Pick | null }>()(() => ({ pick: null }));

/** Starts picking. Returns a function that ends it. */
export function startPicking(pick: Pick): () => void {
  usePicking.setState({ pick });
  return () => {
    if (usePicking.getState().pick === pick) usePicking.setState({ pick: null });
  };
}
