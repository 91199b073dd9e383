/** The button in the toolbar of the map for users who can view the workspace but not edit it. */
import { GitPullRequestDraft } from 'lucide-react';
import { Button } from '@/ui/Button';
import { requestDraft, useBaseId } from '@/workspace/draftRequest';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import styles from './ProposeButton.module.css';

export function ProposeButton() {
  const canEdit = useCanEdit();
  const isDraft = useBaseId() !== undefined;
  const isPast = useWorkspace((state) => state.past !== null);
  if (canEdit || isDraft || isPast) return null;
  return (
    <Button
      kind="quiet"
      className={styles.propose}
      aria-label="Propose a change"
      title="Propose a change: edit a copy of the map, and submit it for review"
      icon={<GitPullRequestDraft size={18} aria-hidden />}
      onClick={requestDraft}
    >
      <span>
        Propose<span className={styles.wide}> a change</span>
      </span>
    </Button>
  );
}
