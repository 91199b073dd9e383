/** The drafts and the protection of the workspace, in its details. */
import { GitPullRequestDraft, Plus } from 'lucide-react';
import { useLocation } from 'wouter';
import { protectionText } from '@/core/drafts/protection';
import { formatCount } from '@/core/text';
import { useProtection, useUnfinishedDrafts } from '@/data/drafts';
import { openWorkspacePath } from '@/map/state/location';
import { Button } from '@/ui/Button';
import { requestDraft } from '@/workspace/draftRequest';
import styles from './Inspector.module.css';
import { Section } from './Section';

export function DraftsSection({ workspaceId, readOnly }: { workspaceId: string; readOnly: boolean }) {
  const [, navigate] = useLocation();
  const { data: protection } = useProtection(workspaceId);
  const { data: unfinished } = useUnfinishedDrafts(workspaceId);
  const { count = 0, hasMore = false } = unfinished ?? {};
  return (
    <Section title="Drafts" count={count}>
      {protection && <p className={styles.hint}>{protectionText(protection)}</p>}
      {count > 0 && (
        <p>{hasMore ? `More than ${count} unfinished drafts` : formatCount(count, 'unfinished draft')}</p>
      )}
      <div className={styles.buttons}>
        <Button icon={<Plus size={16} aria-hidden />} onClick={requestDraft}>
          {readOnly ? 'Propose a change' : 'Start draft'}
        </Button>
        <Button
          icon={<GitPullRequestDraft size={16} aria-hidden />}
          onClick={() => navigate(openWorkspacePath('drafts'))}
        >
          Show drafts
        </Button>
      </div>
    </Section>
  );
}
