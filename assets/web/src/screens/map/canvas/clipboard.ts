/** Copy, cut and paste by the browser's own events: no permission is asked, and it works where there is no TLS. */
import { complain, say } from '@/ui/Toasts';
import { copied, deleteSelected, paste } from './edits';

/** What was copied last in this window, for the menu where the browser does not let us read. */
let own = '';

function isTyping(): boolean {
  const active = document.activeElement;
  return (
    active instanceof HTMLElement && (active.isContentEditable || active.matches('input, textarea, select'))
  );
}

/** Binds the events. Answers how to take them off. */
export function mountClipboard(): () => void {
  const take = (event: ClipboardEvent) => {
    // A text that is selected is what its owner wants to copy.
    if (isTyping() || !getSelection()?.isCollapsed) return;
    const text = copied();
    if (text === null) return;
    own = text;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    if (event.type === 'cut') deleteSelected('Cut');
  };
  const put = (event: ClipboardEvent) => {
    if (isTyping()) return;
    event.preventDefault();
    paste(event.clipboardData?.getData('text/plain') ?? '');
  };
  document.addEventListener('copy', take);
  document.addEventListener('cut', take);
  document.addEventListener('paste', put);
  return () => {
    document.removeEventListener('copy', take);
    document.removeEventListener('cut', take);
    document.removeEventListener('paste', put);
  };
}

/** Copies without a key, from a menu. */
export async function copy(): Promise<void> {
  const text = copied();
  if (text === null) return;
  own = text;
  await navigator.clipboard?.writeText(text).catch(complain);
  say('Copied');
}

/** Pastes without a key, from a menu. */
export async function pasteFromMenu(): Promise<void> {
  const text = await navigator.clipboard?.readText().catch(() => own);
  paste(text || own);
}

/** The same again, beside it. */
export function duplicate(): void {
  const text = copied();
  if (text !== null) paste(text, { x: 40, y: 40 }, 'Duplicate');
}
