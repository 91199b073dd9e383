/** Merges a draft into its base, or updates it from its base, after conflicts have been decided. */
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, errorText } from '@/api/errors';
import { type Draft, type DraftComparison, mergeDraft, updateDraftFromBase } from '@/api/generated';
import { changeCount, describeCounts, describeKinds } from '@/core/drafts/changes';
import { type Choices, conflictItems, openItems, toResolutions } from '@/core/drafts/resolutions';
import { formatCount } from '@/core/text';
import { invalidateDraft, LARGE_MAP, useDraftComparison, useProtection } from '@/data/drafts';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { FormNote } from '@/ui/Form';
import { Loading } from '@/ui/Loading';
import { showToast } from '@/ui/Toasts';
import { useAction } from '@/ui/useAction';
import { saveAll } from '@/workspace/outboxes';
import { ConflictChoices } from './ConflictChoices';
import { openMergedBase } from './openMergedBase';

interface Props {
  draft: Draft;
  action: 'merge' | 'update';
  onUpdate: () => void;
  onClose: () => void;
}

export function ResolveDialog(props: Props) {
  const { draft, action, onClose } = props;
  const { data, error, isFetchedAfterMount } = useDraftComparison(draft.id, true);
  const title = action === 'merge' ? 'Merge draft' : 'Update from workspace';
  // An older comparison may lack changes that are about to be merged.
  if (data && isFetchedAfterMount) return <Decisions {...props} title={title} comparison={data} />;
  return (
    <Dialog open onClose={onClose} title={title}>
      {error ? <Alert text={errorText(error)} /> : <Loading what="the changes" />}
    </Dialog>
  );
}

function Decisions({
  draft,
  action,
  title,
  comparison,
  onUpdate,
  onClose,
}: Props & { title: string; comparison: DraftComparison }) {
  const [choices, setChoices] = useState<Choices>(new Map());
  const items = useMemo(() => conflictItems(comparison.changes), [comparison]);
  const { busy, error, run } = useAction();
  const { data: protection } = useProtection(draft.workspaceId);
  // An undo of the merge changes the workspace without a draft.
  const canUndo = protection?.canBypass ?? false;
  const merge = useMerge(draft, canUndo);
  // The approvals are for a draft without conflicts, so a protected workspace accepts no decisions during the merge.
  const mustUpdate = action === 'merge' && items.length > 0 && protection?.protected === true && !canUndo;
  const left = openItems(items, choices);
  const submit = () =>
    run(async () => {
      const resolutions = toResolutions(items, choices);
      if (action === 'merge') await merge(comparison, resolutions);
      else await updateFromBase(draft, resolutions);
      onClose();
    });
  const footer = mustUpdate ? (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="main" disabled={!draft.canEdit} onClick={onUpdate}>
        Update draft…
      </Button>
    </>
  ) : (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="main" busy={busy} disabled={left > 0} onClick={() => void submit()}>
        {action === 'merge' ? 'Merge draft' : 'Update draft'}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={title} wide={items.length > 0 && !mustUpdate} footer={footer}>
      {action === 'merge' ? (
        <MergeSummary comparison={comparison} canUndo={canUndo} />
      ) : (
        <UpdateSummary comparison={comparison} draft={draft} />
      )}
      {mustUpdate ? (
        <FormNote tone="warn">
          <p>
            {formatCount(items.length, 'conflict')} with changes in the workspace. Update the draft first, and
            have the result approved. This workspace is protected.
          </p>
        </FormNote>
      ) : (
        items.length > 0 && (
          <ConflictChoices
            items={items}
            changes={comparison.changes}
            choices={choices}
            onChange={setChoices}
          />
        )
      )}
      <Alert text={error ? problemText(error) : undefined} />
    </Dialog>
  );
}

function problemText(error: unknown): string {
  const isStale = error instanceof ApiError && (error.code === 'stale' || error.code === 'draft_conflicts');
  return isStale ? `${errorText(error)} Close this dialog and open it again.` : errorText(error);
}

function MergeSummary({ comparison, canUndo }: { comparison: DraftComparison; canUndo: boolean }) {
  if (changeCount(comparison) === 0) {
    return <p>The draft has no changes. Merging it closes it and leaves the workspace as it is.</p>;
  }
  return (
    <p>
      Changes in the workspace: {describeCounts(comparison)} ({describeKinds(comparison.changes)}). They are
      one entry in its history{canUndo && ', which you can undo'}.
    </p>
  );
}

function UpdateSummary({ comparison, draft }: { comparison: DraftComparison; draft: Draft }) {
  const count = comparison.counts.base;
  return (
    <>
      <p>
        {count > 0
          ? `${formatCount(count, 'row')} changed in the workspace since the draft was started or last updated. The update applies these changes to the draft.`
          : 'Nothing else has changed in the workspace.'}{' '}
        You cannot undo it.
      </p>
      {draft.approvals > 0 && (
        <FormNote tone="warn">Approvals lapse when the map of the draft changes.</FormNote>
      )}
    </>
  );
}

async function updateFromBase(draft: Draft, resolutions: ReturnType<typeof toResolutions>): Promise<void> {
  await saveAll(draft.id);
  const { changeSetId, rows } = await updateDraftFromBase(draft.id, { resolutions }, LARGE_MAP);
  await invalidateDraft(draft);
  if (!changeSetId) {
    showToast('The draft is up to date.');
    return;
  }
  showToast(`Updated the draft: ${formatCount(rows, 'row')} changed`);
}

/** Merges, and opens the map of the base, with Undo. */
function useMerge(draft: Draft, canUndo: boolean) {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  return async ({ draftRevision }: DraftComparison, resolutions: ReturnType<typeof toResolutions>) => {
    await saveAll(draft.id);
    const { changeSetId } = await mergeDraft(
      draft.id,
      { resolutions, expectedRevision: draftRevision },
      LARGE_MAP,
    );
    void invalidateDraft(draft);
    openMergedBase({ ...draft, changeSetId, canUndo }, () =>
      navigate(workspacePath(slug, draft.workspaceId)),
    );
  };
}
