/** Checks images before they are uploaded. */
import { truncate } from '../text';

/** The media types that the server accepts. */
export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Maximum size of an uploaded image, in bytes. */
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024;

/** Maximum length of a file name in a message. */
const MAX_SHOWN_NAME = 40;

/** The reason why a file cannot be uploaded as an image; undefined if it can. */
export function imageProblem({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | undefined {
  const file = `“${truncate(name || 'image', MAX_SHOWN_NAME)}”`;
  if (!IMAGE_TYPES.includes(type)) return `${file} is not a PNG, JPEG, WebP or GIF image.`;
  if (size === 0) return `${file} is empty.`;
  if (size <= MAX_IMAGE_BYTES) return undefined;
  return `${file} has ${formatMebibytes(size)}. Images can have at most ${formatMebibytes(MAX_IMAGE_BYTES)}. Make it smaller, then add it again.`;
}

function formatMebibytes(bytes: number): string {
  const size = bytes / (1024 * 1024);
  return `${(Math.ceil(size * 10) / 10).toLocaleString('en')} MiB`;
}

/** A description for an image, from its file name; empty for names that say nothing, such as those of the clipboard. */
export function descriptionFromName(name: string): string {
  const stem = name
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[_-]+/g, ' ')
    .trim();
  return /^(?:image|img|photo|picture|screenshot|untitled)?[\s\d().]*$/i.test(stem)
    ? ''
    : truncate(stem, 200);
}
