/** A modal dialog. Escape or a click on the backdrop closes it, and the focus returns to the previous element. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import styles from './Dialog.module.css';

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons, with the primary button last. */
  footer?: ReactNode;
  wide?: boolean;
  /** Whether the dialog can only be closed by its buttons. */
  required?: boolean;
  /**
   * The element to focus initially; by default the first focusable element. On touch devices, no element is focused,
   * because the on-screen keyboard would cover half of the dialog.
   */
  begin?: RefObject<HTMLElement | null>;
}

export function Dialog({
  open,
  onClose,
  title,
  children,
  footer,
  wide = false,
  required = false,
  begin,
}: Props) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && !required && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          className={styles.popup}
          data-wide={wide || undefined}
          initialFocus={(by) => by === 'touch' || (begin?.current ?? true)}
        >
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {!required && (
              <Base.Close className={styles.close} aria-label="Close">
                <X size={18} aria-hidden />
              </Base.Close>
            )}
          </header>
          <div className={styles.body}>{children}</div>
          {footer && <footer className={styles.foot}>{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
