/** Asks where an edit of a protected workspace continues, if the user has drafts in progress. */
import { useState } from 'react';
import type { Draft } from '@/api/generated';
import { truncate } from '@/core/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { RadioGroup } from '@/ui/RadioGroup';
import { RelativeTime } from '@/ui/RelativeTime';
import { chooseDraft, closeDraftChoice, useDraftChoice } from '@/workspace/protectedEdits';
import { useWorkspace } from '@/workspace/store';

const NEW = '';

export function DraftChoiceDialog() {
  const { drafts, workspaceId } = useDraftChoice();
  const openId = useWorkspace((state) => state.workspaceId);
  if (!drafts || workspaceId !== openId) return null;
  return <Choice drafts={drafts} />;
}

function Choice({ drafts }: { drafts: readonly Draft[] }) {
  const [chosen, setChosen] = useState(drafts[0]?.id ?? NEW);
  const options = [
    ...drafts.map(({ id, number, title, updatedAt }) => ({
      id,
      name: `${truncate(title, 80)} (#${number})`,
      hint: (
        <>
          In progress, changed <RelativeTime time={updatedAt} />
        </>
      ),
    })),
    { id: NEW, name: 'New draft', hint: 'Starts with the current state of the workspace.' },
  ];
  return (
    <Dialog
      open
      onClose={closeDraftChoice}
      title="This workspace is protected"
      footer={
        <>
          <Button onClick={closeDraftChoice}>Decide later</Button>
          <Button
            kind="main"
            onClick={() => void chooseDraft(drafts.find(({ id }) => id === chosen) ?? null)}
          >
            Continue in draft
          </Button>
        </>
      }
    >
      <p>Changes need a draft. Your change is not saved yet. Continue in:</p>
      <RadioGroup label="Draft" options={options} value={chosen} onChange={setChosen} />
    </Dialog>
  );
}
