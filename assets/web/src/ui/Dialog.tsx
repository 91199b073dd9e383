/** A window over the page that has one question. Escape and the backdrop close it; focus goes back where it was. */
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
  /** It has to be answered: nothing but its own buttons closes it. */
  required?: boolean;
  /** Where one begins; else at the first thing that takes keys. By touch nothing is begun at, for the keyboard of a phone
   * would cover half of it. */
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
