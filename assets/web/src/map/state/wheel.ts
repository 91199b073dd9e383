/** What a wheel does: a mouse's zooms, a trackpad's two fingers pan. Told apart at first use, and remembered. */
import { useEffect } from 'react';
import { create } from 'zustand';

export type WheelBehavior = 'zoom' | 'pan';

const KEY = 'planroom.wheel';

const stored = localStorage.getItem(KEY);
const useSetting = create<{ wheel: WheelBehavior | null }>()(() => ({
  wheel: stored === 'zoom' || stored === 'pan' ? stored : null,
}));

/** Chooses what the wheel does from now on in this browser. */
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

/** Two fingers go a few pixels at a time, and aside; the wheel of a mouse goes in steps. */
function isTrackpad({ deltaMode, deltaX, deltaY }: WheelEvent): boolean {
  return deltaMode === 0 && (deltaX !== 0 || Math.abs(deltaY) < 40);
}
