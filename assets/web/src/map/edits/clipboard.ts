/** Copy, cut and paste with the browser's clipboard events, which require neither permission nor TLS. */

import { DUPLICATE_OFFSET, parseClipboard } from '@/core/layout/clipboard';
import { showError, showToast } from '@/ui/Toasts';
import { deleteSelected } from './edits';
import { addImages } from './imageUpload';
import { clipboardText, paste } from './pasting';

/** The text last copied in this window, used by the menu if the browser denies access to the clipboard. */
let lastCopied = '';

function isTyping(): boolean {
  const active = document.activeElement;
  return (
    active instanceof HTMLElement && (active.isContentEditable || active.matches('input, textarea, select'))
  );
}

/** The image files on the clipboard. */
function imagesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}

/** Whether a text was copied from a map. Some programs add an image of copied text. */
function isMapText(text: string): boolean {
  return typeof parseClipboard(text) !== 'string';
}

/** Binds the events. Returns a function that removes them. */
export function mountClipboard(): () => void {
  const onCopy = (event: ClipboardEvent) => {
    // If text is selected on the page, the browser copies it.
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
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const images = imagesIn(event.clipboardData);
    if (images.length > 0 && !isMapText(text)) void addImages(images);
    else void paste(text);
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

/** Copies the selection from a menu. */
export async function copySelection(): Promise<void> {
  const text = clipboardText();
  if (text === null) return;
  lastCopied = text;
  await navigator.clipboard?.writeText(text).catch(showError);
  showToast('Copied');
}

/** The images on the clipboard, if it contains no text. Not every browser can read them. */
async function clipboardImages(): Promise<File[]> {
  const items = await navigator.clipboard?.read?.().catch(() => []);
  if (!items || items.some(({ types }) => types.includes('text/plain'))) return [];
  const files = items.map(async (item) => {
    const type = item.types.find((one) => one.startsWith('image/'));
    return type ? [new File([await item.getType(type)], 'image', { type })] : [];
  });
  return (await Promise.all(files)).flat();
}

/** Pastes from a menu. */
export async function pasteFromMenu(): Promise<void> {
  const images = await clipboardImages();
  if (images.length > 0) return addImages(images);
  const text = await navigator.clipboard?.readText().catch(() => lastCopied);
  await paste(text || lastCopied);
}

export function duplicateSelection(): void {
  const text = clipboardText();
  if (text !== null) void paste(text, DUPLICATE_OFFSET, 'Duplicate');
}
