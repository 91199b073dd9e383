/** Edits title, description and reviewers of a draft, and submits it for review. */
import { useState } from 'react';
import type { Profile } from '@/api/generated';
import { type Draft, type DraftPatch, updateDraft } from '@/api/generated';
import { MAX_NAME_CHARS, MAX_TEXT_CHARS } from '@/core/limits';
import { invalidateDraft } from '@/data/drafts';
import { Alert } from '@/ui/Alert';
import { FieldGroup, TextArea, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/Toasts';
import { useSubmit } from '@/ui/useSubmit';
import { ReviewersField } from './ReviewersField';

interface Props {
  draft: Draft;
  /** Whether the draft is submitted too. */
  isSubmission: boolean;
  onClose: () => void;
}

export function DetailsDialog({ draft, isSubmission, onClose }: Props) {
  const [title, setTitle] = useState(draft.title);
  const [description, setDescription] = useState(draft.description ?? '');
  const [reviewers, setReviewers] = useState<readonly Profile[]>(draft.reviewers);
  const { busy, problem, submit } = useSubmit(['title', 'description', 'reviewers'], async () => {
    const patch: DraftPatch = {
      ...(title.trim() !== draft.title ? { title: title.trim() } : {}),
      ...(description !== (draft.description ?? '') ? { description } : {}),
      ...(isSamePeople(reviewers, draft.reviewers) ? {} : { reviewers: reviewers.map(({ id }) => id) }),
      ...(isSubmission ? { state: 'open' as const } : {}),
    };
    if (Object.keys(patch).length > 0) {
      await updateDraft(draft.id, patch);
      await invalidateDraft(draft);
      if (isSubmission) showToast('Submitted for review');
    }
    onClose();
  });
  const isAgain = draft.state === 'changes-requested';
  return (
    <FormDialog
      title={isSubmission ? (isAgain ? 'Submit again' : 'Submit for review') : 'Edit draft details'}
      submitLabel={isSubmission ? 'Submit draft' : 'Save details'}
      onSubmit={submit}
      onClose={onClose}
      busy={busy}
      disabled={!title.trim()}
    >
      <TextField
        label="Title"
        name="title"
        autoComplete="off"
        maxLength={MAX_NAME_CHARS}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        problem={problem('title')}
      />
      <TextArea
        label="Description"
        hint="Optional. Markdown. What changes, and why?"
        name="description"
        rows={5}
        maxLength={MAX_TEXT_CHARS}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
        problem={problem('description')}
      />
      <FieldGroup label="Reviewers">
        <ReviewersField
          workspaceId={draft.workspaceId}
          value={reviewers}
          authorId={draft.author.id}
          onChange={setReviewers}
        />
      </FieldGroup>
      <Alert text={problem('reviewers') ?? problem()} />
    </FormDialog>
  );
}

function isSamePeople(a: readonly Profile[], b: readonly Profile[]): boolean {
  return a.map(({ id }) => id).join() === b.map(({ id }) => id).join();
}
