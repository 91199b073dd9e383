/** A map without anything on it says how to begin. */
import { Plus } from 'lucide-react';
import { centre } from '@/core/scene/geometry';
import { Button } from '@/ui/Button';
import styles from './Canvas.module.css';
import { visible } from './camera';
import { draftAt } from './edits';
import { useHold } from './hold';

export function Empty() {
  const draft = useHold((hold) => hold.draft);
  if (draft) return null;
  return (
    <div className={styles.empty} data-own-hands>
      <h2>This map is empty</h2>
      <p>
        Double-click to add a component, such as a service, database or queue. Drag from its edge to connect
        it to another.
      </p>
      <Button
        kind="main"
        icon={<Plus size={16} aria-hidden />}
        onClick={() => draftAt(centre(visible()), null)}
      >
        Add first component
      </Button>
    </div>
  );
}
