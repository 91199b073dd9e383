/** The bar of a layout preview, to apply or cancel it. */

import { useEffect, useRef } from 'react';
import { formatCount } from '@/core/text';
import { applyLayout, cancelLayout, startLayout } from '@/map/edits/layout';
import { useInteraction } from '@/map/state/interaction';
import { Button } from '@/ui/Button';
import styles from './Toolbar.module.css';

export function LayoutBar() {
  const preview = useInteraction((interaction) => interaction.preview);
  const arranging = useInteraction((interaction) => interaction.computingLayout);
  const apply = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (preview) apply.current?.focus();
  }, [preview]);
  if (!preview && !arranging) return null;
  const other = preview?.style === 'layered' ? 'organic' : 'layered';
  return (
    <section className={styles.layoutBar} data-bar aria-label="Layout preview">
      <p role="status">
        {preview
          ? `Preview: new layout for ${formatCount(preview.moves.length, 'component')}`
          : 'Computing layout…'}
      </p>
      {preview && (
        <Button kind="quiet" onClick={() => void startLayout(other)}>
          {other === 'layered' ? 'Layered layout' : 'Organic layout'}
        </Button>
      )}
      <Button onClick={cancelLayout}>Cancel</Button>
      {preview && (
        <Button ref={apply} kind="main" onClick={applyLayout}>
          Apply layout
        </Button>
      )}
    </section>
  );
}
