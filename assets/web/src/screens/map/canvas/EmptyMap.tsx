/** The hint on an empty map. */
import { Plus } from 'lucide-react';
import { center } from '@/core/scene/geometry';
import { startDraft } from '@/map/edits/edits';
import { visibleRect } from '@/map/state/camera';
import { useInteraction } from '@/map/state/interaction';
import { Button } from '@/ui/Button';
import { useCanEdit } from '@/workspace/model';
import styles from './Canvas.module.css';

export function EmptyMap() {
  const draft = useInteraction((interaction) => interaction.draft);
  const canEdit = useCanEdit();
  const isNote = useInteraction(({ noteDraft, placing }) => noteDraft !== null || placing !== null);
  if (draft || isNote) return null;
  if (!canEdit) {
    return (
      <div className={styles.empty} data-own-pointer>
        <h2>This map is empty</h2>
        <p>You can view this workspace. To add components, ask an owner for edit access.</p>
      </div>
    );
  }
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
