/** The bar of a layout preview, to apply or cancel it. */

import { useEffect, useRef } from 'react';
import { counted } from '@/core/words';
import { Button } from '@/ui/Button';
import { applyArrange, arrange, cancelArrange } from '../canvas/arrange';
import { useHold } from '../canvas/hold';
import styles from './Toolbar.module.css';

export function ArrangeBar() {
  const preview = useHold((hold) => hold.preview);
  const arranging = useHold((hold) => hold.arranging);
  const apply = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (preview) apply.current?.focus();
  }, [preview]);
  if (!preview && !arranging) return null;
  const other = preview?.style === 'layered' ? 'organic' : 'layered';
  return (
    <section className={styles.arrange} data-bar aria-label="Layout preview">
      <p role="status">
        {preview
          ? `Preview: new layout for ${counted(preview.moves.length, 'component')}`
          : 'Computing layout…'}
      </p>
      {preview && (
        <Button kind="quiet" onClick={() => void arrange(other)}>
          {other === 'layered' ? 'Layered layout' : 'Organic layout'}
        </Button>
      )}
      <Button onClick={cancelArrange}>Cancel</Button>
      {preview && (
        <Button ref={apply} kind="main" onClick={applyArrange}>
          Apply layout
        </Button>
      )}
    </section>
  );
}
