/** What whoever writes should know: others have changed the same, something was not saved, something was kept. */

import { problemOfName, problemOfText } from '@/core/model/validation';
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
  participants: 'who is mapped',
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
            Changed meanwhile by {who}: {disputed.map((field) => WORDS[field]).join(' and ')}. What you typed
            is still here and not saved.
          </p>
          <Button onClick={() => settle(processId, 'theirs')}>Take theirs</Button>
          <Button onClick={() => settle(processId, 'mine')}>Keep mine</Button>
        </div>
      )}
      {problem && (
        <div className={styles.note} data-alarm>
          <p>Not saved: {problem} What you typed is still here; mend it and it is sent again.</p>
          <Button onClick={() => discard(processId)}>Go back to what is saved</Button>
        </div>
      )}
      {unfit && (
        <div className={styles.note} data-alarm>
          <p>{unfit} What you typed is kept in this browser, and saved when it fits.</p>
          <Button onClick={() => discard(processId)}>Go back to what is saved</Button>
        </div>
      )}
      {isHeld && (
        <div className={styles.note}>
          <p>The text is kept in this browser and not saved until it begins a sequence diagram.</p>
          <Button onClick={() => discard(processId)}>Go back to what is saved</Button>
        </div>
      )}
    </div>
  );
}
