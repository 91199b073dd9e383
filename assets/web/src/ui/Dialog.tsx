/** A modal dialog. Escape and a click on the backdrop close it; the focus returns to the previous element. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import styles from './Dialog.module.css';

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  wide?: boolean;
  /** Whether it can be closed only by its own buttons. */
  required?: boolean;
  /**
   * The element that gets the focus; the first focusable one by default. On touch devices none does, because the
   * on-screen keyboard would cover half of the dialog.
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
