/** The bar of a layout preview, to change, apply or cancel it. */

import { ArrowDown, ArrowRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { LayoutScope } from '@/core/layout/blocks';
import type { LayoutDirection, LayoutStyle } from '@/core/layout/layoutTask';
import { formatCount } from '@/core/text';
import { applyLayout, cancelLayout, changeLayout, describeScope } from '@/map/edits/layout';
import { type LayoutPreview, type LayoutRequest, useInteraction } from '@/map/state/interaction';
import { Button, IconButton } from '@/ui/Button';
import { Select } from '@/ui/Select';
import { useWorkspace } from '@/workspace/store';
import styles from './Toolbar.module.css';

export function LayoutBar() {
  const preview = useInteraction((interaction) => interaction.preview);
  const computing = useInteraction((interaction) => interaction.computingLayout);
  const apply = useRef<HTMLButtonElement>(null);
  const isShown = preview !== null;
  useEffect(() => {
    // Later previews are requested with the controls of this bar, which keep the focus.
    if (isShown) apply.current?.focus();
  }, [isShown]);
  if (!preview && !computing) return null;
  return (
    <section className={styles.layoutBar} data-bar aria-label="Layout preview">
      <p role="status">{computing || !preview ? 'Computing layout…' : describePreview(preview)}</p>
      {preview && <Controls request={computing ?? preview.request} />}
      <div className={styles.layoutButtons}>
        <Button onClick={cancelLayout}>Cancel</Button>
        {preview && (
          <Button ref={apply} kind="main" disabled={computing !== null} onClick={applyLayout}>
            Apply layout
          </Button>
        )}
      </div>
    </section>
  );
}

function describePreview({ moves, isShifted, covered }: LayoutPreview): string {
  const what = `Preview: new layout for ${formatCount(moves.length, 'component')}`;
  const [first] = covered;
  if (first !== undefined) {
    const name = useWorkspace.getState().rows?.component.get(first)?.name ?? first;
    const others = covered.length > 1 ? ` and ${formatCount(covered.length - 1, 'other')}` : '';
    return `${what}. There is not enough room: it covers “${name}”${others}.`;
  }
  return isShifted ? `${what}, moved to free space` : what;
}

/** What is arranged, and how. */
function Controls({ request }: { request: LayoutRequest }) {
  const { style, scope, selection, selected, direction } = request;
  return (
    <div className={styles.layoutControls}>
      {selection !== 'all' && (
        <Select
          aria-label="Components to arrange"
          value={scope}
          onChange={(event) => void changeLayout({ scope: event.target.value as LayoutScope })}
        >
          <option value={selection}>{describeScope(selection, selected).replace(/^inside/, 'Inside')}</option>
          <option value="all">Whole map</option>
        </Select>
      )}
      <Select
        aria-label="Layout style"
        value={style}
        onChange={(event) => void changeLayout({ style: event.target.value as LayoutStyle })}
      >
        <option value="layered">Layered</option>
        <option value="organic">Organic</option>
      </Select>
      {style === 'layered' && (
        <fieldset className={styles.directions}>
          <legend className="unseen">Direction</legend>
          {DIRECTIONS.map(({ id, name, icon: Icon }) => (
            <IconButton
              key={id}
              label={name}
              icon={<Icon size={16} aria-hidden />}
              aria-pressed={direction === id}
              onClick={() => void changeLayout({ direction: id })}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

const DIRECTIONS: readonly { id: LayoutDirection; name: string; icon: typeof ArrowDown }[] = [
  { id: 'right', name: 'From left to right', icon: ArrowRight },
  { id: 'down', name: 'From top to bottom', icon: ArrowDown },
];
