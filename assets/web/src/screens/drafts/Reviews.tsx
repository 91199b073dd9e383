/** The reviewers of a draft with their verdicts, and all reviews. */
import { CircleCheck, CircleDashed, CircleX, Clock, MessageSquare } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Draft, DraftReview } from '@/api/generated';
import { isEnded, isSubmitted, type ReviewerState, reviewerStates, VERDICTS } from '@/core/drafts/states';
import { useUserAvatar } from '@/data/photos';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { NoteText } from '@/ui/NoteText';
import { useNoteBlocks } from '@/ui/noteBlocks';
import { RelativeTime } from '@/ui/RelativeTime';
import styles from './Drafts.module.css';

interface Props {
  draft: Draft;
  onReview: () => void;
}

type Icon = ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;

const STATES: Readonly<Record<ReviewerState['verdict'], { name: string; tone: string; icon: Icon }>> = {
  approved: { name: 'Approved', tone: 'good', icon: CircleCheck },
  'changes-requested': { name: 'Changes requested', tone: 'alarm', icon: CircleX },
  lapsed: { name: 'Approval lapsed', tone: 'warn', icon: CircleDashed },
  comment: { name: 'Commented', tone: 'plain', icon: MessageSquare },
  waiting: { name: 'Not reviewed yet', tone: 'plain', icon: Clock },
};

export function Reviews({ draft, onReview }: Props) {
  const people = reviewerStates(draft);
  const avatarOf = useUserAvatar();
  return (
    <section className={styles.panel} aria-labelledby="reviews-title">
      <h3 id="reviews-title">Reviews</h3>
      {people.length === 0 && (
        <p className={styles.soft}>
          {draft.canEdit && !isEnded(draft)
            ? 'No reviewers. Add them when you submit the draft, or under “Edit draft details”.'
            : 'No reviewers.'}
        </p>
      )}
      {people.length > 0 && (
        <ul className={styles.reviewers} aria-label="Reviewers">
          {people.map(({ person, verdict }) => {
            const { name, tone, icon: Icon } = STATES[verdict];
            return (
              <li key={person.id}>
                <Avatar {...avatarOf(person)} size="small" />
                <span className={styles.reviewer}>{person.displayName}</span>
                <span className={styles.verdict} data-tone={tone}>
                  <Icon size={16} aria-hidden /> {name}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {draft.reviews.length > 0 && (
        <ol className={styles.reviews} aria-label="Reviews, oldest first">
          {draft.reviews.map((review) => (
            <Review key={review.id} review={review} />
          ))}
        </ol>
      )}
      {!isEnded(draft) && (
        <div>
          <Button onClick={onReview}>
            {draft.canReview && isSubmitted(draft) ? 'Review changes' : 'Comment on draft'}
          </Button>
        </div>
      )}
    </section>
  );
}

function Review({ review: { reviewer, verdict, text, createdAt, isCurrent } }: { review: DraftReview }) {
  const blocks = useNoteBlocks(text ?? '');
  return (
    <li
      className={styles.review}
      data-verdict={verdict}
      data-lapsed={(!isCurrent && verdict !== 'comment') || undefined}
    >
      <p>
        <strong>{reviewer.displayName}</strong> {VERDICTS[verdict]}{' '}
        <RelativeTime time={createdAt} className={styles.soft} />
      </p>
      {verdict === 'approved' && !isCurrent && (
        <p className={styles.soft}>Lapsed: the draft has changed since.</p>
      )}
      {text && <NoteText blocks={blocks} />}
    </li>
  );
}
