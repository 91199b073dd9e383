/** The open comments on the selected item, with a button to comment. */
import { MessageSquare, MessageSquarePlus } from 'lucide-react';
import type { NewAnchor } from '@/api/generated';
import { countsOf, describeCounts } from '@/core/comments/overview';
import { useCommentOverview } from '@/data/comments';
import { showComments, writeComment } from '@/map/state/comments';
import { Button } from '@/ui/Button';
import { useWorkspace } from '@/workspace/store';
import styles from './Inspector.module.css';
import { Section } from './Section';

export function CommentsSection({ anchor }: { anchor: NewAnchor }) {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  // Unsaved rows have no comments on the server.
  const isSaved = useWorkspace(({ serverRows }) => {
    if (anchor.type !== 'component' && anchor.type !== 'relationship') return true;
    return serverRows?.[anchor.type].has(anchor.id ?? '') ?? false;
  });
  const { data: overview } = useCommentOverview(workspaceId);
  if (!overview || !isSaved) return null;
  const counts = countsOf(overview, anchor.type, anchor.id ?? undefined);
  const all = (counts?.open ?? 0) + (counts?.resolved ?? 0);
  if (all === 0 && !overview.canComment) return null;
  return (
    <Section title="Comments" count={counts?.open ?? 0}>
      {counts && counts.open > 0 && <p>{describeCounts(counts)}</p>}
      <div className={styles.buttons}>
        {all > 0 && (
          <Button icon={<MessageSquare size={16} aria-hidden />} onClick={() => showComments(anchor)}>
            Show comments
          </Button>
        )}
        {overview.canComment && (
          <Button icon={<MessageSquarePlus size={16} aria-hidden />} onClick={() => writeComment(anchor)}>
            Comment
          </Button>
        )}
      </div>
    </Section>
  );
}
