/** Asks once before something is destroyed, and names what goes. */
import type { ReactNode } from 'react';
import { errorText } from '@/api/errors';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { FormError } from './Form';
import { useAction } from './useAction';

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What goes, and what stays. */
  children: ReactNode;
  /** What is done: a verb, never "OK". */
  confirm: string;
  /** The dialog closes when it is done; when it fails, it says why and stays. */
  onConfirm: () => Promise<void>;
  kind?: 'danger' | 'main';
}

export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  confirm,
  onConfirm,
  kind = 'danger',
}: Props) {
  const { busy, error, clear, run } = useAction();
  const close = () => {
    clear();
    onClose();
  };
  const act = () =>
    run(async () => {
      await onConfirm();
      onClose();
    });
  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind={kind} busy={busy} onClick={() => void act()}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      <FormError text={error ? errorText(error) : undefined} />
    </Dialog>
  );
}
