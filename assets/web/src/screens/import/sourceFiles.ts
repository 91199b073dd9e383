/** Files of the browser as the server reads them. */
import type { ReadFile } from '@/api/generated';
import { MAX_IMPORT_BYTES } from '@/core/limits';

/** Maximum number of files of an import. */
const MAX_FILES = 2_000;
const MEGABYTE = 1024 * 1024;

/** Throws if there are too many files, or if they are too large. */
export function checkFiles(files: readonly File[]): void {
  if (files.length > MAX_FILES) {
    throw new Error(`Choose at most ${MAX_FILES.toLocaleString('en')} files.`);
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_IMPORT_BYTES) {
    const what = files.length === 1 ? 'The file is' : 'The files are';
    throw new Error(`${what} too large. The maximum is ${MAX_IMPORT_BYTES / MEGABYTE} MB.`);
  }
}

/** The path of a file in the folder that was chosen, or its name. */
export function nameOf({ name, webkitRelativePath }: File): string {
  return webkitRelativePath || name;
}

export async function toSourceFile(file: File): Promise<ReadFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const name = nameOf(file);
  try {
    return { name, content: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { name, contentBase64: base64(bytes) };
  }
}

/** The text of a file, in the encodings that the server reads. */
export async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** Arguments of a function call: more would exceed the stack. */
const CHUNK_BYTES = 0x8000;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  }
  return btoa(text);
}
