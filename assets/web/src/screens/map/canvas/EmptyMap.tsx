/** The hint on an empty map. */
import { FileUp, ListChecks, Plus } from 'lucide-react';
import { center } from '@/core/scene/geometry';
import { startDraft } from '@/map/edits/edits';
import { visibleRect } from '@/map/state/camera';
import { useInteraction } from '@/map/state/interaction';
import { useOpenView } from '@/map/state/openView';
import { openViewDialog } from '@/map/state/viewDialogs';
import { Button } from '@/ui/Button';
import { openImport } from '@/workspace/importRequest';
import { useCanEdit } from '@/workspace/model';
import styles from './Canvas.module.css';

export function EmptyMap() {
  const draft = useInteraction((interaction) => interaction.draft);
  const canEdit = useCanEdit();
  const open = useOpenView();
  const isNote = useInteraction(({ noteDraft, placing }) => noteDraft !== null || placing !== null);
  if (draft || isNote) return null;
  if (open) {
    return (
      <div className={styles.empty} data-own-pointer>
        <h2>This view is empty</h2>
        <p>
          No component matches the rules of “{open.view.name}”. Change the rules, or add components from the
          side panel.
        </p>
        {(canEdit || open.isPersonal) && (
          <Button
            kind="main"
            icon={<ListChecks size={16} aria-hidden />}
            onClick={() => openViewDialog({ kind: 'rules' })}
          >
            Edit rules
          </Button>
        )}
      </div>
    );
  }
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
      <div className={styles.emptyButtons}>
        <Button
          kind="main"
          icon={<Plus size={16} aria-hidden />}
          onClick={() => startDraft(center(visibleRect()), null)}
        >
          Add first component
        </Button>
        <Button icon={<FileUp size={16} aria-hidden />} onClick={() => openImport()}>
          Import files
        </Button>
      </div>
    </div>
  );
}
