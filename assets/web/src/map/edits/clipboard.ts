/** Copy, cut and paste by the browser's own events: no permission is asked, and it works where there is no TLS. */
import { showError, showToast } from '@/ui/Toasts';
import { clipboardText, deleteSelected, paste } from './edits';

/** What was copied last in this window, for the menu where the browser does not let us read. */
let lastCopied = '';

function isTyping(): boolean {
  const active = document.activeElement;
  return (
    active instanceof HTMLElement && (active.isContentEditable || active.matches('input, textarea, select'))
  );
}

/** Binds the events. Answers how to take them off. */
export function mountClipboard(): () => void {
  const onCopy = (event: ClipboardEvent) => {
    // A text that is selected is what its owner wants to copy.
    if (isTyping() || !getSelection()?.isCollapsed) return;
    const text = clipboardText();
    if (text === null) return;
    lastCopied = text;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    if (event.type === 'cut') deleteSelected('Cut');
  };
  const onPaste = (event: ClipboardEvent) => {
    if (isTyping()) return;
    event.preventDefault();
    paste(event.clipboardData?.getData('text/plain') ?? '');
  };
  document.addEventListener('copy', onCopy);
  document.addEventListener('cut', onCopy);
  document.addEventListener('paste', onPaste);
  return () => {
    document.removeEventListener('copy', onCopy);
    document.removeEventListener('cut', onCopy);
    document.removeEventListener('paste', onPaste);
  };
}

/** Copies without a key, from a menu. */
export async function copySelection(): Promise<void> {
  const text = clipboardText();
  if (text === null) return;
  lastCopied = text;
  await navigator.clipboard?.writeText(text).catch(showError);
  showToast('Copied');
}

/** Pastes without a key, from a menu. */
export async function pasteFromMenu(): Promise<void> {
  const text = await navigator.clipboard?.readText().catch(() => lastCopied);
  paste(text || lastCopied);
}

/** The same again, beside it. */
export function duplicateSelection(): void {
  const text = clipboardText();
  if (text !== null) paste(text, { x: 40, y: 40 }, 'Duplicate');
}
