/** Images of pasted notes. An image belongs to one workspace, so in another one it is uploaded again. */
import type { ClipboardContent, CopiedNote } from '@/core/layout/clipboard';
import { formatCount } from '@/core/text';
import { fetchImage, uploadNoteImage } from '@/data/noteImages';
import { showToast } from '@/ui/Toasts';

/** The notes with images of the workspace `target`. Notes whose image cannot be copied are left out. */
export async function withOwnImages(
  { notes, workspaceId: source }: ClipboardContent,
  target: string,
): Promise<readonly CopiedNote[]> {
  if (source === undefined || source === target) return notes;
  const imageIds = new Set(notes.flatMap(({ imageId }) => imageId ?? []));
  if (imageIds.size === 0) return notes;
  const copies = new Map<string, string>();
  for (const imageId of imageIds) {
    const copy = await copyImage(source, target, imageId);
    if (copy) copies.set(imageId, copy);
  }
  const failed = imageIds.size - copies.size;
  if (failed > 0) showToast(`${formatCount(failed, 'image')} could not be copied from the other workspace.`);
  return notes.flatMap((note) => {
    if (!note.imageId) return [note];
    const imageId = copies.get(note.imageId);
    return imageId ? [{ ...note, imageId }] : [];
  });
}

async function copyImage(source: string, target: string, imageId: string): Promise<string | undefined> {
  try {
    return (await uploadNoteImage(target, await fetchImage(source, imageId))).id;
  } catch {
    return undefined;
  }
}
