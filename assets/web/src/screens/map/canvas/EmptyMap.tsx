/** A map without anything on it says how to begin. */
import { Plus } from 'lucide-react';
import { center } from '@/core/scene/geometry';
import { startDraft } from '@/map/edits/edits';
import { visibleRect } from '@/map/state/camera';
import { useInteraction } from '@/map/state/interaction';
import { Button } from '@/ui/Button';
import styles from './Canvas.module.css';

export function EmptyMap() {
  const draft = useInteraction((interaction) => interaction.draft);
  if (draft) return null;
  return (
    <div className={styles.empty} data-own-pointer>
      <h2>This map is empty</h2>
      <p>
        Double-click to add a component, such as a service, database or queue. Drag from its edge to connect
        it to another.
      </p>
      <Button
        kind="main"
        icon={<Plus size={16} aria-hidden />}
        onClick={() => startDraft(center(visibleRect()), null)}
      >
        Add first component
      </Button>
    </div>
  );
}
