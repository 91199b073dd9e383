/** What a wheel does: a mouse's zooms, a trackpad's two fingers pan. Told apart at first use, and remembered. */
import { useEffect } from 'react';
import { create } from 'zustand';

export type Wheel = 'zoom' | 'pan';

const KEY = 'planroom.wheel';

const kept = localStorage.getItem(KEY);
const useSetting = create<{ wheel: Wheel | null }>()(() => ({
  wheel: kept === 'zoom' || kept === 'pan' ? kept : null,
}));

/** Chooses what the wheel does from now on in this browser. */
export function chooseWheel(wheel: Wheel): void {
  localStorage.setItem(KEY, wheel);
  useSetting.setState({ wheel });
}

export function useWheel(): Wheel {
  const wheel = useSetting((setting) => setting.wheel);
  useEffect(() => {
    if (wheel) return;
    const first = (event: WheelEvent) => {
      if (event.ctrlKey) return;
      chooseWheel(isTrackpad(event) ? 'pan' : 'zoom');
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
