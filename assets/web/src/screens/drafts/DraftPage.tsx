/** One draft: its description, changes, reviews and discussion, and what to do next. */
import { Map as MapIcon } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { ApiError, errorText } from '@/api/errors';
import type { Draft, DraftComparison } from '@/api/generated';
import { useSession } from '@/api/session';
import { changeCount, describeCounts } from '@/core/drafts/changes';
import { approvalText, isEnded, nextStep } from '@/core/drafts/states';
import { formatCount } from '@/core/text';
import { useDraft, useDraftComparison } from '@/data/drafts';
import { requestDraftComparison } from '@/map/state/draftUrl';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { FormNote } from '@/ui/Form';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { NoteText } from '@/ui/NoteText';
import { Notice } from '@/ui/Notice';
import { useNoteBlocks } from '@/ui/noteBlocks';
import { RelativeTime } from '@/ui/RelativeTime';
import { useBaseId } from '@/workspace/draftRequest';
import { useWorkspace } from '@/workspace/store';
import { ChangeList } from './ChangeList';
import { Discussion } from './Discussion';
import { ActionMenu, useBaseName } from './DraftBanner';
import styles from './Drafts.module.css';
import { Reviews } from './Reviews';
import { StateBadge } from './StateBadge';
import { type DraftAction, useDraftActions } from './useDraftActions';

/** The page in the workspace of the draft. */
export default function DraftChanges() {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const baseId = useBaseId();
  const slug = useOrgSlug();
  if (baseId === undefined) {
    return (
      <Notice title="This workspace is not a draft">
        <p>
          <Link href={workspacePath(slug, workspaceId, 'drafts')}>Go to the drafts of this workspace</Link>
        </p>
      </Notice>
    );
  }
  return <DraftPage draftId={workspaceId} />;
}

/** The page, in the workspace of the draft or of its base. */
export function DraftPage({ draftId }: { draftId: string }) {
  const { data: draft, error, refetch } = useDraft(draftId);
  if (draft) return <Page draft={draft} />;
  if (error instanceof ApiError && error.status === 404) return <UnknownDraft />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <Loading what="the draft" />;
}

function UnknownDraft() {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const slug = useOrgSlug();
  return (
    <Notice title="Draft not found">
      <p>There is no draft at this address. Check the link, or look for the draft in the list.</p>
      <p>
        <Link href={workspacePath(slug, workspaceId, 'drafts')}>Go to the drafts of this workspace</Link>
      </p>
    </Notice>
  );
}

function Page({ draft }: { draft: Draft }) {
  const slug = useOrgSlug();
  const [, navigate] = useLocation();
  const actions = useDraftActions(draft);
  const comparison = useDraftComparison(draft.id);
  const baseName = useBaseName(draft.workspaceId);
  // In its own workspace, the banner has the actions.
  const isInBase = useBaseId() === undefined;
  const { id, number, title, workspaceId, author, createdAt, hasMap } = draft;
  const Main = actions.main?.icon;
  return (
    <div className={styles.table}>
      <div className={styles.page}>
        <div className={styles.main}>
          <section className={styles.panel} aria-labelledby="draft-title">
            <div className={styles.head}>
              <div className={styles.titleText}>
                <h2 id="draft-title">
                  {title} <span className={styles.number}>#{number}</span>
                </h2>
                <p className={styles.facts}>
                  <StateBadge draft={draft} />
                  <span>
                    {author.displayName} started it <RelativeTime time={createdAt} /> for{' '}
                    <Link href={workspacePath(slug, workspaceId)}>{baseName}</Link>
                  </span>
                </p>
              </div>
              <div className={styles.buttons}>
                {hasMap && (
                  <Button
                    icon={<MapIcon size={16} aria-hidden />}
                    onClick={() => navigate(requestDraftComparison(workspacePath(slug, id)))}
                  >
                    Show on map
                  </Button>
                )}
                {isInBase && actions.main && (
                  <Button
                    kind="main"
                    icon={Main && <Main size={16} aria-hidden />}
                    onClick={actions.main.run}
                  >
                    {actions.main.title}
                  </Button>
                )}
                {isInBase && <ActionMenu actions={actions.others} />}
              </div>
            </div>
            <Description draft={draft} />
          </section>
          <section className={styles.panel} aria-labelledby="changes-title">
            <h3 id="changes-title">Changes</h3>
            {comparison.error && !comparison.data && <Alert text={errorText(comparison.error)} />}
            {comparison.isPending && !comparison.error && <Loading what="the changes" />}
            {comparison.data && <Changes draft={draft} comparison={comparison.data} />}
          </section>
          {hasMap && <Discussion draftId={id} />}
        </div>
        <aside className={styles.side} aria-label="Review">
          <NextStep
            draft={draft}
            comparison={comparison.data}
            merge={actions.others.find(({ id }) => id === 'merge')}
            onUpdate={() => actions.open('update')}
          />
          <Reviews draft={draft} onReview={() => actions.open(draft.canReview ? 'review' : 'comment')} />
        </aside>
      </div>
      {actions.dialog}
    </div>
  );
}

function Description({ draft: { description, canEdit } }: { draft: Draft }) {
  const blocks = useNoteBlocks(description ?? '');
  if (description) return <NoteText blocks={blocks} />;
  return (
    <p className={styles.soft}>
      No description.{canEdit && ' To add one, choose “Edit draft details” in the menu.'}
    </p>
  );
}

function Changes({ draft, comparison }: { draft: Draft; comparison: DraftComparison }) {
  const { changes, baseChanges, counts } = comparison;
  const total = changeCount(comparison);
  return (
    <>
      <p role="status">{describeCounts(comparison) || noChangesText(draft)}</p>
      {changes.length > 0 && (
        <ChangeList changes={changes} label="Changes" draftId={draft.hasMap ? draft.id : null} />
      )}
      {total > changes.length && (
        <p className={styles.soft}>
          {(total - changes.length).toLocaleString('en')} more changes are not listed.
        </p>
      )}
      {baseChanges.length > 0 && !isEnded(draft) && (
        <details className={styles.baseChanges}>
          <summary>
            {formatCount(counts.base, 'other change')} in the workspace since the draft was started
          </summary>
          <ChangeList changes={baseChanges} label="Changes in the workspace" by="base" />
        </details>
      )}
    </>
  );
}

function noChangesText(draft: Draft): string {
  if (isEnded(draft)) return 'No changes.';
  return draft.canEdit
    ? 'No changes yet. Edit the map of the draft; this page then lists what a merge changes.'
    : 'No changes yet.';
}

interface NextStepProps {
  draft: Draft;
  comparison: DraftComparison | undefined;
  /** Undefined if merging is the main action of the page. */
  merge: DraftAction | undefined;
  onUpdate: () => void;
}

function NextStep({ draft, comparison, merge, onUpdate }: NextStepProps) {
  const userId = useSession((state) => state.user?.id);
  const { mergedAt, closedAt, endedBy, canEdit, isBehind } = draft;
  const conflicts = comparison?.counts.conflicting ?? 0;
  const endedAt = mergedAt ?? closedAt;
  const approvals = approvalText(draft);
  return (
    <section className={styles.panel} aria-labelledby="next-title">
      <h3 id="next-title">{isEnded(draft) ? 'Result' : 'Next step'}</h3>
      <p>{nextStep(draft, userId)}</p>
      {merge && draft.state === 'open' && (
        <div>
          <Button icon={<merge.icon size={16} aria-hidden />} onClick={merge.run}>
            {merge.title}
          </Button>
        </div>
      )}
      {endedAt && (
        <p className={styles.soft}>
          {draft.state === 'merged' ? 'Merged' : 'Closed'} <RelativeTime time={endedAt} />
          {endedBy && ` by ${endedBy.displayName}`}
        </p>
      )}
      {approvals && !isEnded(draft) && <p className={styles.soft}>{approvals}</p>}
      {conflicts > 0 && !isEnded(draft) && (
        <FormNote tone="warn">
          <p>
            {formatCount(conflicts, 'conflict')} with changes in the workspace.{' '}
            {canEdit
              ? 'Decide them in an update, or when the draft is merged.'
              : 'They are decided in an update or when the draft is merged.'}
          </p>
        </FormNote>
      )}
      {isBehind && !isEnded(draft) && (
        <>
          <p className={styles.soft}>
            The workspace has changed since the draft was started or last updated.
          </p>
          {canEdit && (
            <div>
              <Button onClick={onUpdate}>Update from workspace</Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}
