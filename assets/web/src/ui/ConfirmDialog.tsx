/** A confirmation before a destructive action. */
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
  /** Describes what is deleted and what is kept. */
  children: ReactNode;
  /** The label of the confirm button: a verb and an object, never "OK". */
  confirm: string;
  /** The dialog closes when this succeeds, and shows the error if it fails. */
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
