/** What whoever writes should know: others have changed the same, something was not saved, something was kept. */

import { nameProblem, textProblem } from '@/core/model/validation';
import { isDirty, type ProcessDraft, type ProcessField } from '@/core/process/draft';
import { processTextProblem } from '@/core/process/source';
import { Button } from '@/ui/Button';
import { discardDraft, resolveDraft, useProblem } from './drafts';
import styles from './Processes.module.css';
import { useLastAuthor } from './useProcess';

const WORDS: Record<ProcessField, string> = {
  name: 'the name',
  description: 'the description',
  mermaid: 'the text',
  participants: 'who is mapped',
};

interface Props {
  workspaceId: string;
  processId: string;
  draft: ProcessDraft;
}

export function ProcessNotices({ workspaceId, processId, draft }: Props) {
  const problem = useProblem(workspaceId, processId);
  const disputed = Object.keys(draft.theirs) as ProcessField[];
  const who = useLastAuthor(processId, disputed.length > 0);
  const { name, description } = draft.mine;
  const unfit = nameProblem(name) ?? textProblem(description);
  const isHeld = isDirty(draft) && processTextProblem(draft.mine.mermaid) !== '';
  return (
    <div role="status" aria-label="Notes">
      {disputed.length > 0 && (
        <div className={styles.note}>
          <p>
            Changed meanwhile by {who}: {disputed.map((field) => WORDS[field]).join(' and ')}. What you typed
            is still here and not saved.
          </p>
          <Button onClick={() => resolveDraft(processId, 'theirs')}>Take theirs</Button>
          <Button onClick={() => resolveDraft(processId, 'mine')}>Keep mine</Button>
        </div>
      )}
      {problem && (
        <div className={styles.note} data-alarm>
          <p>Not saved: {problem} What you typed is still here; mend it and it is sent again.</p>
          <Button onClick={() => discardDraft(processId)}>Go back to what is saved</Button>
        </div>
      )}
      {unfit && (
        <div className={styles.note} data-alarm>
          <p>{unfit} What you typed is kept in this browser, and saved when it fits.</p>
          <Button onClick={() => discardDraft(processId)}>Go back to what is saved</Button>
        </div>
      )}
      {isHeld && (
        <div className={styles.note}>
          <p>The text is kept in this browser and not saved until it begins a sequence diagram.</p>
          <Button onClick={() => discardDraft(processId)}>Go back to what is saved</Button>
        </div>
      )}
    </div>
  );
}
