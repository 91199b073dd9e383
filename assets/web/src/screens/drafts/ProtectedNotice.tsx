/** Shows editors in the bar that the workspace is protected. */
import { Lock } from 'lucide-react';
import { protectionText } from '@/core/drafts/protection';
import { useProtection } from '@/data/drafts';
import { Button } from '@/ui/Button';
import { Popover } from '@/ui/Popover';
import { requestDraft, useIsProtected } from '@/workspace/draftRequest';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import styles from './ProtectedNotice.module.css';

export function ProtectedNotice() {
  const isProtected = useIsProtected();
  const canEdit = useCanEdit();
  if (!isProtected || !canEdit) return null;
  return (
    <Popover
      title="Protected workspace"
      trigger={
        <Button
          kind="quiet"
          className={styles.trigger}
          aria-label="Protected workspace"
          icon={<Lock size={17} aria-hidden />}
        >
          <span className={styles.text}>Protected</span>
        </Button>
      }
    >
      <Explanation />
    </Popover>
  );
}

function Explanation() {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const { data } = useProtection(workspaceId);
  return (
    <div className={styles.content}>
      {data && <p>{protectionText(data)}</p>}
      <p>When you edit the map, a draft with your change starts automatically.</p>
      <div>
        <Button kind="main" onClick={requestDraft}>
          Start draft
        </Button>
      </div>
    </div>
  );
}
