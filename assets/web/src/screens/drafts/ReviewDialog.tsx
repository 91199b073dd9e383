/** Reviews a draft: approves it, requests changes, or comments. */
import { useState } from 'react';
import { type Draft, type ReviewState, reviewDraft } from '@/api/generated';
import { MAX_COMMENT_CHARS } from '@/core/limits';
import { invalidateDraft } from '@/data/drafts';
import { Alert } from '@/ui/Alert';
import { TextArea } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { RadioGroup } from '@/ui/RadioGroup';
import { showToast } from '@/ui/Toasts';
import { useSubmit } from '@/ui/useSubmit';
import { useKeptInput } from '@/workspace/keptInput';

const OPTIONS: readonly { id: ReviewState; name: string; hint: string }[] = [
  {
    id: 'approved',
    name: 'Approve',
    hint: 'The changes can be merged. The approval lapses if the map of the draft changes.',
  },
  {
    id: 'changes-requested',
    name: 'Request changes',
    hint: 'The draft is not merged until it was changed and submitted again.',
  },
  { id: 'comment', name: 'Comment', hint: 'Neither approve nor request changes.' },
];

const TOASTS: Readonly<Record<ReviewState, string>> = {
  approved: 'Draft approved',
  'changes-requested': 'Changes requested',
  comment: 'Comment added to the draft',
};

export function ReviewDialog({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const { canReview } = draft;
  // What the user has looked at, not what the draft has become since the dialog was opened.
  const [expectedRevision] = useState(draft.revision);
  const [verdict, setVerdict] = useState<ReviewState>(canReview ? 'approved' : 'comment');
  const { value: text, set: setText, clear } = useKeptInput(`review/${draft.id}`, () => '');
  const { busy, problem, submit } = useSubmit(['text', 'verdict'], async () => {
    const message = text.trim();
    await reviewDraft(draft.id, {
      verdict,
      ...(message ? { text: message } : {}),
      ...(verdict === 'comment' ? {} : { expectedRevision }),
    });
    clear();
    await invalidateDraft(draft);
    showToast(TOASTS[verdict]);
    onClose();
  });
  // A request for changes says what to change.
  const needsText = verdict !== 'approved';
  return (
    <FormDialog
      title={canReview ? 'Review changes' : 'Comment on draft'}
      submitLabel={OPTIONS.find(({ id }) => id === verdict)?.name ?? ''}
      onSubmit={submit}
      onClose={onClose}
      busy={busy}
      disabled={needsText && !text.trim()}
    >
      {canReview && <RadioGroup label="Verdict" options={OPTIONS} value={verdict} onChange={setVerdict} />}
      <TextArea
        label="Message"
        hint={needsText ? 'Markdown.' : 'Optional. Markdown.'}
        name="text"
        rows={5}
        maxLength={MAX_COMMENT_CHARS}
        value={text}
        onChange={(event) => setText(event.target.value)}
        problem={problem('text') ?? problem('verdict')}
      />
      <Alert text={problem()} />
    </FormDialog>
  );
}
