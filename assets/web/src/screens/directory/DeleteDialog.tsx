/** Asks once before a person or team goes, and names what goes with it. */

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
  /** What else is lost, in words. */
  loses: string;
  remove: (force: boolean) => Promise<unknown>;
  onClose: () => void;
  onGone: () => void;
}

export function DeleteDialog({ name, what, loses, remove, onClose, onGone }: Props) {
  const [busy, setBusy] = useState(false);
  const [count, setCount] = useState(0);
  const [problem, setProblem] = useState('');
  const run = async () => {
    setBusy(true);
    setProblem('');
    try {
      await remove(count > 0);
      invalidateDirectory();
      showToast(`Deleted “${truncate(name, 80)}”.`);
      onClose();
      onGone();
    } catch (error) {
      if (error instanceof ApiError && error.code === `${what}_in_use`) setCount(error.body.count ?? 1);
      else setProblem(errorText(error));
      setBusy(false);
    }
  };
  const places = `${count.toLocaleString('en')} ${count === 1 ? 'place' : 'places'}`;
  const footer = (
    <>
      <Button onClick={onClose}>Keep</Button>
      <Button kind="danger" busy={busy} onClick={() => void run()}>
        {count > 0 ? `Delete, and answer for nothing in ${places}` : 'Delete'}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={`Delete “${truncate(name, 60)}”?`} footer={footer}>
      <p>This cannot be taken back. {loses}</p>
      <Alert
        text={
          count > 0 &&
          `“${truncate(name, 60)}” answers for components in ${places}, workspaces that you do not see among them. ` +
            'Give these to somebody else first, or delete them too: nobody answers there then.'
        }
      />
      <Alert text={problem} />
    </Dialog>
  );
}
