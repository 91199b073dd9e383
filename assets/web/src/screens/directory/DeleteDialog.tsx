/** Confirms the deletion of a person or team and lists the data deleted with it. */

import { useState } from 'react';
import { ApiError, errorText } from '@/api/errors';
import { truncate } from '@/core/text';
import { invalidateDirectory } from '@/data/queries';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { showToast } from '@/ui/Toasts';

interface Props {
  name: string;
  what: 'person' | 'team';
  /** Describes the consequences of the deletion. */
  consequences: string;
  remove: (force: boolean) => Promise<unknown>;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteDialog({ name, what, consequences, remove, onClose, onDeleted }: Props) {
  const [busy, setBusy] = useState(false);
  const [count, setCount] = useState(0);
  const [problem, setProblem] = useState('');
  const run = async () => {
    setBusy(true);
    setProblem('');
    try {
      await remove(count > 0);
      invalidateDirectory();
      showToast(`Deleted “${truncate(name, 80)}”`);
      onClose();
      onDeleted();
    } catch (error) {
      if (error instanceof ApiError && error.code === `${what}_in_use`) setCount(error.body.count ?? 1);
      else setProblem(errorText(error));
      setBusy(false);
    }
  };
  const places = `${count.toLocaleString('en')} ${count === 1 ? 'place' : 'places'}`;
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="danger" busy={busy} onClick={() => void run()}>
        {count > 0 ? `Delete with all roles in ${places}` : `Delete ${what}`}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={`Delete “${truncate(name, 60)}”?`} footer={footer}>
      <p>You can’t undo this. {consequences}</p>
      <Alert
        text={
          count > 0 &&
          `“${truncate(name, 60)}” is responsible for components in ${places}, which may include workspaces that you can’t access. ` +
            'Assign someone else first, or delete these roles too and leave the components without them.'
        }
      />
      <Alert text={problem} />
    </Dialog>
  );
}
