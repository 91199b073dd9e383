/** An arrangement that is shown and not done yet: to be applied or given up. */
import { useEffect, useRef } from 'react';
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
    <section className={styles.layoutBar} data-bar aria-label="Arrangement">
      <p role="status">
        {preview ? `This is how ${preview.moves.length} components would stand.` : 'Arranging …'}
      </p>
      {preview && (
        <Button kind="quiet" onClick={() => void startLayout(other)}>
          {other === 'layered' ? 'In layers' : 'By connections'}
        </Button>
      )}
      <Button onClick={cancelLayout}>Cancel</Button>
      {preview && (
        <Button ref={apply} kind="main" onClick={applyLayout}>
          Apply
        </Button>
      )}
    </section>
  );
}
