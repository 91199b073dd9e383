/** How this browser shows Planroom. Nothing of it leaves the browser. */
import { useState } from 'react';
import { RadioGroup } from '@/ui/RadioGroup';
import { Panel } from '@/ui/Sections';
import { setTheme, type Theme, useTheme } from '@/ui/theme';

const THEMES: readonly { id: Theme; name: string; hint: string }[] = [
  {
    id: 'system',
    name: 'As the system',
    hint: 'Follows the setting of your device, also when it changes at night.',
  },
  { id: 'light', name: 'Light', hint: 'Paper.' },
  { id: 'dark', name: 'Dark', hint: 'Blueprint.' },
];

type WheelOption = 'detect' | 'zoom' | 'pan';

const WHEELS: readonly { id: WheelOption; name: string; hint: string }[] = [
  { id: 'detect', name: 'Find out', hint: 'Told apart at the first use.' },
  { id: 'zoom', name: 'Mouse', hint: 'The wheel zooms; dragging empty space pans.' },
  { id: 'pan', name: 'Trackpad', hint: 'Two fingers pan; a pinch, or the wheel with Ctrl, zooms.' },
];

/** The map reads it. */
const WHEEL_KEY = 'planroom.wheel';

function currentWheel(): WheelOption {
  const kept = localStorage.getItem(WHEEL_KEY);
  return kept === 'zoom' || kept === 'pan' ? kept : 'detect';
}

export function Appearance() {
  const [wheel, setWheel] = useState(currentWheel);
  const chooseWheel = (to: WheelOption) => {
    if (to === 'detect') localStorage.removeItem(WHEEL_KEY);
    else localStorage.setItem(WHEEL_KEY, to);
    setWheel(to);
  };
  return (
    <Panel title="Appearance" about="Kept in this browser alone.">
      <RadioGroup label="Colours" options={THEMES} value={useTheme()} onChange={setTheme} />
      <RadioGroup label="On the map you use a" options={WHEELS} value={wheel} onChange={chooseWheel} />
    </Panel>
  );
}
