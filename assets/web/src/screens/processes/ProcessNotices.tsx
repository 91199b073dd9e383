/** Notices for the author: conflicting changes, failed saves and unsaved text. */

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
  participants: 'the mapping',
};

interface Props {
  workspaceId: string;
  processId: string;
  draft: ProcessDraft;
}

export function ProcessNotices({ workspaceId, processId, draft }: Props) {
  const problem = useProblem(workspaceId, processId);
  const disputed = Object.keys(draft.theirs) as ProcessField[];
  const author = useLastAuthor(processId, disputed.length > 0);
  const { name, description } = draft.mine;
  const unfit = nameProblem(name) ?? textProblem(description);
  const isHeld = isDirty(draft) && processTextProblem(draft.mine.mermaid) !== '';
  return (
    <div role="status" aria-label="Notes">
      {disputed.length > 0 && (
        <div className={styles.note}>
          <p>
            {author} changed {disputed.map((field) => WORDS[field]).join(' and ')} in the meantime. Your
            version is not saved.
          </p>
          <Button onClick={() => resolveDraft(processId, 'theirs')}>Use theirs</Button>
          <Button onClick={() => resolveDraft(processId, 'mine')}>Keep mine</Button>
        </div>
      )}
      {problem && (
        <div className={styles.note} data-alarm>
          <p>Not saved: {problem} Your input is not lost. Fix the problem to save it.</p>
          <Button onClick={() => discardDraft(processId)}>Revert to saved version</Button>
        </div>
      )}
      {unfit && (
        <div className={styles.note} data-alarm>
          <p>{unfit} Your input stays in this browser and is saved when it is valid.</p>
          <Button onClick={() => discardDraft(processId)}>Revert to saved version</Button>
        </div>
      )}
      {isHeld && (
        <div className={styles.note}>
          <p>The text stays in this browser and is not saved until it starts with “sequenceDiagram”.</p>
          <Button onClick={() => discardDraft(processId)}>Revert to saved version</Button>
        </div>
      )}
    </div>
  );
}
