/** Toasts: messages about completed actions, with a button such as Undo, or about errors. */
import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { errorText } from '@/api/errors';
import styles from './Toasts.module.css';

/** Toasts with the same `id` replace each other, so that messages do not accumulate. */
const manager = Toast.createToastManager();

/** Shows a toast, with a longer duration if it has an action. Replaces a toast with the same subject. */
export function showToast(text: string, action?: { label: string; run: () => void }, subject = text): void {
  manager.add({
    id: `note: ${subject}`,
    description: text,
    timeout: action ? 10_000 : 5_000,
    ...(action ? { actionProps: { children: action.label, onClick: action.run } } : {}),
  });
}

/** Closes the toast with a subject, if it is shown. */
export function closeToast(subject: string): void {
  manager.close(`note: ${subject}`);
}

/** Shows an important message until it is dismissed. */
export function showAlertToast(text: string): void {
  manager.add({ id: `announcement: ${text}`, description: text, priority: 'high', timeout: 0 });
}

/** Shows an error until it is dismissed. */
export function showError(error: unknown): void {
  const text = errorText(error);
  manager.add({ id: `alarm: ${text}`, description: text, type: 'alarm', priority: 'high', timeout: 0 });
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={styles.toast}
      aria-label={toast.type === 'alarm' ? 'Problem' : 'Note'}
      data-type={toast.type}
      swipeDirection={['right', 'down']}
    >
      <Toast.Description className={styles.text} />
      {toast.actionProps && <Toast.Action className={styles.action} />}
      <Toast.Close className={styles.close} aria-label="Dismiss">
        <X size={16} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ));
}
