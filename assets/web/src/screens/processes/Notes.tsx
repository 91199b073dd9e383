/** Notes for the author: conflicting changes, failed saves and unsaved text. */

import { problemOfName, problemOfText } from '@/core/model/valid';
import { type Draft, type Field, isDirty } from '@/core/process/draft';
import { refusal } from '@/core/process/source';
import { Button } from '@/ui/Button';
import { discard, settle, useProblem } from './drafts';
import styles from './Processes.module.css';
import { useLastAuthor } from './useProcess';

const WORDS: Record<Field, string> = {
  name: 'the name',
  description: 'the description',
  mermaid: 'the text',
  participants: 'the mapping',
};

interface Props {
  workspaceId: string;
  processId: string;
  draft: Draft;
}

export function Notes({ workspaceId, processId, draft }: Props) {
  const problem = useProblem(workspaceId, processId);
  const disputed = Object.keys(draft.theirs) as Field[];
  const who = useLastAuthor(processId, disputed.length > 0);
  const { name, description } = draft.mine;
  const unfit = problemOfName(name) ?? problemOfText(description);
  const isHeld = isDirty(draft) && refusal(draft.mine.mermaid) !== '';
  return (
    <div role="status" aria-label="Notes">
      {disputed.length > 0 && (
        <div className={styles.note}>
          <p>
            {who} changed {disputed.map((field) => WORDS[field]).join(' and ')} in the meantime. Your version
            is not saved.
          </p>
          <Button onClick={() => settle(processId, 'theirs')}>Use theirs</Button>
          <Button onClick={() => settle(processId, 'mine')}>Keep mine</Button>
        </div>
      )}
      {problem && (
        <div className={styles.note} data-alarm>
          <p>Not saved: {problem} Your input is not lost. Fix the problem to save it.</p>
          <Button onClick={() => discard(processId)}>Revert to saved version</Button>
        </div>
      )}
      {unfit && (
        <div className={styles.note} data-alarm>
          <p>{unfit} Your input stays in this browser and is saved when it is valid.</p>
          <Button onClick={() => discard(processId)}>Revert to saved version</Button>
        </div>
      )}
      {isHeld && (
        <div className={styles.note}>
          <p>The text stays in this browser and is not saved until it starts with “sequenceDiagram”.</p>
          <Button onClick={() => discard(processId)}>Revert to saved version</Button>
        </div>
      )}
    </div>
  );
}
