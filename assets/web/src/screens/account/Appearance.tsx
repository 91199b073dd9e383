/** Appearance settings, stored in this browser only. */
import { useState } from 'react';
import type { LineStyle } from '@/core/route/sceneInput';
import { setLineStyle, useLineStyle } from '@/map/state/lineStyle';
import { RadioGroup } from '@/ui/RadioGroup';
import { Panel } from '@/ui/Sections';
import { setTheme, type Theme, useTheme } from '@/ui/theme';

const THEMES: readonly { id: Theme; name: string; hint: string }[] = [
  {
    id: 'system',
    name: 'System',
    hint: 'Matches your device, even when it switches at night.',
  },
  { id: 'light', name: 'Light', hint: 'Light background.' },
  { id: 'dark', name: 'Dark', hint: 'Dark background.' },
];

type WheelOption = 'detect' | 'zoom' | 'pan';

const WHEELS: readonly { id: WheelOption; name: string; hint: string }[] = [
  { id: 'detect', name: 'Automatic', hint: 'Detected when you first scroll.' },
  { id: 'zoom', name: 'Mouse', hint: 'Scroll to zoom, drag empty space to pan.' },
  { id: 'pan', name: 'Trackpad', hint: 'Scroll with two fingers to pan, pinch or Ctrl+scroll to zoom.' },
];

const LINES: readonly { id: LineStyle; name: string; hint: string }[] = [
  { id: 'routed', name: 'Routed', hint: 'Around components and group titles.' },
  { id: 'straight', name: 'Straight', hint: 'The shortest way, across components.' },
];

/** The storage key of map navigation, which is read by the map. */
const WHEEL_KEY = 'planroom.wheel';

function currentWheel(): WheelOption {
  const stored = localStorage.getItem(WHEEL_KEY);
  return stored === 'zoom' || stored === 'pan' ? stored : 'detect';
}

export function Appearance() {
  const [wheel, setWheel] = useState(currentWheel);
  const chooseWheel = (to: WheelOption) => {
    if (to === 'detect') localStorage.removeItem(WHEEL_KEY);
    else localStorage.setItem(WHEEL_KEY, to);
    setWheel(to);
  };
  return (
    <Panel title="Appearance" about="Saved in this browser only.">
      <RadioGroup label="Theme" options={THEMES} value={useTheme()} onChange={setTheme} />
      <RadioGroup
        label="Lines on the map"
        options={LINES}
        value={useLineStyle(({ style }) => style)}
        onChange={setLineStyle}
      />
      <RadioGroup label="Map navigation" options={WHEELS} value={wheel} onChange={chooseWheel} />
    </Panel>
  );
}
