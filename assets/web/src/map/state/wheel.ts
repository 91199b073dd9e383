/** Mouse wheel behavior: zoom for mice, pan for trackpads. Detected on first use and stored in this browser. */
import { useEffect } from 'react';
import { create } from 'zustand';

export type WheelBehavior = 'zoom' | 'pan';

const KEY = 'planroom.wheel';

const stored = localStorage.getItem(KEY);
const useSetting = create<{ wheel: WheelBehavior | null }>()(() => ({
  wheel: stored === 'zoom' || stored === 'pan' ? stored : null,
}));

/** Sets the behavior in this browser. */
export function setWheelBehavior(wheel: WheelBehavior): void {
  localStorage.setItem(KEY, wheel);
  useSetting.setState({ wheel });
}

export function useWheelBehavior(): WheelBehavior {
  const wheel = useSetting((setting) => setting.wheel);
  useEffect(() => {
    if (wheel) return;
    const first = (event: WheelEvent) => {
      if (event.ctrlKey) return;
      setWheelBehavior(isTrackpad(event) ? 'pan' : 'zoom');
    };
    window.addEventListener('wheel', first, { capture: true, passive: true, once: true });
    return () => window.removeEventListener('wheel', first, { capture: true });
  }, [wheel]);
  return wheel ?? 'zoom';
}

/** Trackpads scroll by a few pixels and horizontally; mouse wheels scroll in larger steps. */
function isTrackpad({ deltaMode, deltaX, deltaY }: WheelEvent): boolean {
  return deltaMode === 0 && (deltaX !== 0 || Math.abs(deltaY) < 40);
}
