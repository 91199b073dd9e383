/** The comments in the workspace of a draft. */
import { ArrowLeft, MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import { useCommentOverview } from '@/data/comments';
import comments from '@/screens/comments/Comments.module.css';
import { NewThreadForm } from '@/screens/comments/NewThreadForm';
import { ThreadList } from '@/screens/comments/ThreadList';
import { ThreadView } from '@/screens/comments/ThreadView';
import { Button } from '@/ui/Button';
import styles from './Drafts.module.css';

type Shown = { threadId: string } | 'new' | 'list';

export function Discussion({ draftId }: { draftId: string }) {
  const [shown, setShown] = useState<Shown>('list');
  const { data: overview } = useCommentOverview(draftId);
  const canComment = overview?.canComment ?? false;
  const hasThreads = overview !== undefined && overview.open + overview.resolved + overview.detached > 0;
  const list = () => setShown('list');
  return (
    <section className={styles.panel} aria-labelledby="discussion-title">
      <div className={styles.head}>
        <h3 id="discussion-title">Discussion</h3>
        {shown === 'list' && canComment && (
          <Button icon={<MessageSquarePlus size={16} aria-hidden />} onClick={() => setShown('new')}>
            Start discussion
          </Button>
        )}
        {shown !== 'list' && (
          <Button icon={<ArrowLeft size={16} aria-hidden />} onClick={list}>
            All comments
          </Button>
        )}
      </div>
      <div className={`${comments.body} ${styles.discussion}`}>
        {shown === 'list' &&
          (hasThreads ? (
            <ThreadList
              workspaceId={draftId}
              filter={{}}
              withAnchors
              onOpen={({ id }) => setShown({ threadId: id })}
            />
          ) : (
            <p className={styles.soft}>
              No comments yet. Comments on components and lines of the draft’s map are listed here too.
            </p>
          ))}
        {shown === 'new' && (
          <NewThreadForm
            workspaceId={draftId}
            anchor={{ type: 'workspace' }}
            autoFocus
            onCreated={({ id }) => setShown({ threadId: id })}
            onCancel={list}
          />
        )}
        {typeof shown === 'object' && (
          <ThreadView
            key={shown.threadId}
            workspaceId={draftId}
            threadId={shown.threadId}
            canComment={canComment}
            onGone={list}
          />
        )}
      </div>
    </section>
  );
}
