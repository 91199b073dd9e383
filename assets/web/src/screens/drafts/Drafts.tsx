/** The drafts of a workspace, and its protection. One draft has a page of its own. */
import { GitPullRequestDraft, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Draft } from '@/api/generated';
import { approvalText, DRAFT_FILTERS, type DraftFilterId } from '@/core/drafts/states';
import { useDrafts } from '@/data/drafts';
import { useUserAvatar } from '@/data/photos';
import { useOrgSlug, useSegment, workspacePath } from '@/routing/paths';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { Badge } from '@/ui/DataList';
import { EmptyState } from '@/ui/EmptyState';
import { CheckField, SelectField } from '@/ui/Field';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { RelativeTime } from '@/ui/RelativeTime';
import { requestDraft, useIsProtected } from '@/workspace/draftRequest';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { DraftPage } from './DraftPage';
import styles from './Drafts.module.css';
import { ProtectionPanel } from './ProtectionPanel';
import { StateBadge } from './StateBadge';

/** The path segment of the draft, after that of this screen. */
const DRAFT_SEGMENT = 5;

export default function Drafts() {
  const draftId = useSegment(DRAFT_SEGMENT);
  return draftId === undefined ? <List /> : <DraftPage key={draftId} draftId={draftId} />;
}

function List() {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const [filter, setFilter] = useState<DraftFilterId>('unfinished');
  const [isOwn, setOwn] = useState(false);
  const canEdit = useCanEdit();
  const states = DRAFT_FILTERS.find(({ id }) => id === filter)?.states ?? [];
  const isWaiting = filter === 'waiting';
  const query = useDrafts(workspaceId, { states, isOwn, isWaiting });
  const choose = (id: DraftFilterId) => {
    setFilter(id);
    // The author of a draft does not review it.
    if (id === 'waiting') setOwn(false);
  };
  const drafts = query.data?.pages.flatMap((page) => page.drafts) ?? [];
  return (
    <div className={styles.table}>
      <div className={styles.page}>
        <section className={styles.panel} aria-labelledby="drafts-title">
          <div className={styles.head}>
            <h2 id="drafts-title">Drafts</h2>
            <Button kind="main" icon={<Plus size={16} aria-hidden />} onClick={requestDraft}>
              {canEdit ? 'Start draft' : 'Propose a change'}
            </Button>
          </div>
          <div className={styles.filters}>
            <SelectField
              label="State"
              value={filter}
              onChange={(event) => choose(event.target.value as DraftFilterId)}
            >
              {DRAFT_FILTERS.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            {!isWaiting && (
              <CheckField
                label="Only mine"
                checked={isOwn}
                onChange={(event) => setOwn(event.currentTarget.checked)}
              />
            )}
          </div>
          {query.error && !query.data && (
            <LoadError error={query.error} onRetry={() => void query.refetch()} />
          )}
          {query.isPending && !query.error && <Loading what="drafts" />}
          {query.data && drafts.length === 0 && (
            <NoDrafts
              isFiltered={filter !== 'unfinished' || isOwn}
              isWaiting={isWaiting}
              onReset={() => {
                setFilter('all');
                setOwn(false);
              }}
            />
          )}
          {drafts.length > 0 && (
            <ul className={styles.list} aria-label="Drafts">
              {drafts.map((draft) => (
                <Row key={draft.id} draft={draft} />
              ))}
            </ul>
          )}
          {query.hasNextPage && (
            <div>
              <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Show older drafts
              </Button>
            </div>
          )}
        </section>
        {/* On phones it is below the list and would shift when the drafts load. */}
        {!query.isPending && <ProtectionPanel workspaceId={workspaceId} />}
      </div>
    </div>
  );
}

interface NoDraftsProps {
  isFiltered: boolean;
  isWaiting: boolean;
  onReset: () => void;
}

function NoDrafts({ isFiltered, isWaiting, onReset }: NoDraftsProps) {
  const isProtected = useIsProtected();
  if (isFiltered) {
    return (
      <div className={styles.empty}>
        <p>{isWaiting ? 'No drafts are waiting for your review.' : 'No drafts match.'}</p>
        <Button onClick={onReset}>Show all drafts</Button>
      </div>
    );
  }
  return (
    <EmptyState title="No unfinished drafts" icon={<GitPullRequestDraft size={32} aria-hidden />}>
      <p>
        A draft proposes a change: a copy of the map that you edit, compare with the original, and have
        reviewed. Merging it applies the changes to the workspace, as one entry in its history.
      </p>
      <p>
        {isProtected
          ? 'This workspace is protected. When you edit it, a draft starts automatically.'
          : 'Everyone who can view this workspace can start a draft.'}
      </p>
      <Button onClick={onReset}>Show merged and closed drafts</Button>
    </EmptyState>
  );
}

function Row({ draft }: { draft: Draft }) {
  const slug = useOrgSlug();
  const avatarOf = useUserAvatar();
  const { id, number, title, author, reviewers, workspaceId, updatedAt, isBehind, sourceId } = draft;
  const approvals = approvalText(draft);
  return (
    <li className={styles.row}>
      <Avatar {...avatarOf(author)} />
      <div className={styles.rowText}>
        <div className={styles.rowTitle}>
          <Link href={workspacePath(slug, workspaceId, 'drafts', id)}>{title}</Link>
          <StateBadge draft={draft} />
          {sourceId && <Badge>From sync</Badge>}
        </div>
        <div className={styles.facts}>
          <span>
            #{number} by {author.displayName}
          </span>
          <span>
            changed <RelativeTime time={updatedAt} />
          </span>
          {approvals && <span>{approvals}</span>}
          {isBehind && <span>Workspace has changed</span>}
        </div>
      </div>
      {reviewers.length > 0 && (
        <span className={styles.avatars}>
          <span className="unseen">
            Reviewers: {reviewers.map(({ displayName }) => displayName).join(', ')}
          </span>
          {reviewers.slice(0, 4).map((reviewer) => (
            <Avatar key={reviewer.id} {...avatarOf(reviewer)} size="small" />
          ))}
          {reviewers.length > 4 && <span aria-hidden>+{reviewers.length - 4}</span>}
        </span>
      )}
    </li>
  );
}
