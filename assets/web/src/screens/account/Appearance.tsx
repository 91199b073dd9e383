/** Appearance settings, stored in this browser only. */
import { useState } from 'react';
import { chooseTheme, type Theme, useTheme } from '@/app/theme';
import { Choice } from '@/ui/Choice';
import { Panel } from '@/ui/Sections';

const THEMES: readonly { id: Theme; name: string; hint: string }[] = [
  {
    id: 'system',
    name: 'System',
    hint: 'Matches your device, even when it switches at night.',
  },
  { id: 'light', name: 'Light', hint: 'Light background.' },
  { id: 'dark', name: 'Dark', hint: 'Dark background.' },
];

type Wheel = 'detect' | 'zoom' | 'pan';

const WHEELS: readonly { id: Wheel; name: string; hint: string }[] = [
  { id: 'detect', name: 'Automatic', hint: 'Detected when you first scroll.' },
  { id: 'zoom', name: 'Mouse', hint: 'Scroll to zoom, drag empty space to pan.' },
  { id: 'pan', name: 'Trackpad', hint: 'Scroll with two fingers to pan, pinch or Ctrl+scroll to zoom.' },
];

/** The stored map navigation, which the map reads. */
const WHEEL_KEY = 'planroom.wheel';

function wheelNow(): Wheel {
  const kept = localStorage.getItem(WHEEL_KEY);
  return kept === 'zoom' || kept === 'pan' ? kept : 'detect';
}

export function Appearance() {
  const [wheel, setWheel] = useState(wheelNow);
  const chooseWheel = (to: Wheel) => {
    if (to === 'detect') localStorage.removeItem(WHEEL_KEY);
    else localStorage.setItem(WHEEL_KEY, to);
    setWheel(to);
  };
  return (
    <Panel title="Appearance" about="Saved in this browser only.">
      <Choice label="Theme" options={THEMES} value={useTheme()} onChange={chooseTheme} />
      <Choice label="Map navigation" options={WHEELS} value={wheel} onChange={chooseWheel} />
    </Panel>
  );
}
