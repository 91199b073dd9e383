/** A panel over the map, which stays usable. Escape closes it, after a question if there are unsaved changes. It receives the focus when it opens. */
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import styles from './Sheet.module.css';

interface Props {
  label: string;
  title: string;
  /** The label of the close button. */
  closeLabel: string;
  /** The question before unsaved changes are discarded. Null if there are none. */
  unsaved?: { question: string; text: string } | null;
  onClose: () => void;
  children: ReactNode;
}

/** Elements that handle Escape themselves while they are open. Toasts, which are dialogs too, do not. */
const POPUPS =
  '[role="listbox"], [role="menu"], [role="dialog"]:not([aria-modal="false"]), [role="alertdialog"]';

/**
 * Whether one is open. The lists of fields in the side panel are hidden while they are closed, and a dialog is still
 * there while it fades out.
 */
function hasOpenPopup(): boolean {
  return [...document.querySelectorAll(POPUPS)].some(
    (popup) => !popup.matches('[data-closed]') && popup.checkVisibility(),
  );
}

export function Sheet({ label, title, closeLabel, unsaved = null, onClose, children }: Props) {
  const sheet = useRef<HTMLElement>(null);
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => (unsaved ? setLeaving(true) : onClose());
  const close = useRef(leave);
  close.current = leave;
  useEffect(() => {
    if (!sheet.current?.contains(document.activeElement)) sheet.current?.focus({ preventScroll: true });
    // In the capture phase, before the shortcuts of the map. The focus is lost when a focused part is removed.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || hasOpenPopup()) return;
      event.preventDefault();
      event.stopPropagation();
      close.current();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
  return (
    <section ref={sheet} className={styles.sheet} aria-label={label} tabIndex={-1} data-sheet>
      <header className={styles.head}>
        <h2>{title}</h2>
        <IconButton label={closeLabel} icon={<X size={18} aria-hidden />} onClick={leave} />
      </header>
      {children}
      {unsaved && (
        <ConfirmDialog
          open={isLeaving}
          onClose={() => setLeaving(false)}
          title={unsaved.question}
          confirm="Discard changes"
          onConfirm={async () => onClose()}
        >
          {unsaved.text}
        </ConfirmDialog>
      )}
    </section>
  );
}
