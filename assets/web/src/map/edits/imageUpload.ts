/** Uploads images and places them on the map. Unlike other edits, this requires a connection to the server. */
import { ApiError, errorText, SERVER_UNREACHABLE } from '@/api/errors';
import type { Note, NoteImage } from '@/api/generated';
import { updateRow } from '@/core/model/edits';
import { newId } from '@/core/newId';
import { noteLabel } from '@/core/noteLabel';
import { descriptionFromName, IMAGE_TYPES, imageProblem } from '@/core/notes/image';
import { defaultSize, noteRect } from '@/core/notes/note';
import { imageSize } from '@/core/notes/resize';
import { center, GRID_SIZE, type Point, type Rect, snapToGrid } from '@/core/scene/geometry';
import { uploadNoteImage } from '@/data/noteImages';
import { chooseFiles } from '@/ui/chooseFiles';
import { showError, showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import { visibleRect } from '../state/camera';
import { useUploads } from '../state/interaction';
import { loadUploadedImage } from '../state/noteImages';
import { focusNote } from '../state/selection';
import { checkCanEdit, edit, rows } from './edits';
import { addImage, checkCanAddNotes } from './notes';

/** Maximum number of images that are added at once. */
const MAX_IMAGES = 10;

/** Uploads images and places them at a point, by default in the center of the view. */
export async function addImages(files: readonly File[], at: Point = center(visibleRect())): Promise<void> {
  if (!checkCanAddNotes()) return;
  if (files.length > MAX_IMAGES) showToast(`Only the first ${MAX_IMAGES} images are added.`);
  for (const [index, file] of files.slice(0, MAX_IMAGES).entries()) {
    const by = index * 2 * GRID_SIZE;
    await addImageFile(file, { x: at.x + by, y: at.y + by });
  }
}

async function addImageFile(file: File, at: Point): Promise<void> {
  const problem = imageProblem(file);
  if (problem) return showToast(problem);
  const size = await measure(file);
  if (!size) return showToast(`“${file.name}” is damaged or not an image.`);
  const rect = rectAround(size, at);
  const image = await upload(file, rect);
  if (image) focusNote(addImage(image.id, rectAround(image, at), descriptionFromName(file.name)));
}

/** Replaces the image of a note. The width stays, the height follows the new proportions. */
export async function replaceImage({ id }: Note): Promise<void> {
  if (!checkCanEdit()) return;
  const [file] = await chooseFiles(IMAGE_TYPES);
  if (!file) return;
  const problem = imageProblem(file);
  if (problem) return showToast(problem);
  const before = rows().note.get(id);
  if (!before) return;
  const { width, ...rect } = noteRect(before);
  const image = await upload(file, { ...rect, width });
  const note = rows().note.get(id);
  if (!image || !note) return;
  const height = Math.max(GRID_SIZE, Math.round((width * image.height) / image.width));
  const fields = { imageId: image.id, width, height };
  edit(`Replace ${noteLabel(note)}`, updateRow(rows(), 'note', id, fields));
}

/** Opens a file chooser and adds the chosen images. */
export async function chooseImages(at?: Point): Promise<void> {
  if (!checkCanAddNotes()) return;
  await addImages(await chooseFiles(IMAGE_TYPES, true), at);
}

/** Uploads an image, and shows where it will appear. Undefined if it failed, or if the workspace was closed. */
async function upload(image: Blob, rect: Rect): Promise<NoteImage | undefined> {
  const { workspaceId } = useWorkspace.getState();
  const id = newId();
  useUploads.setState(({ uploads }) => ({ uploads: [...uploads, { id, rect }] }));
  try {
    const uploaded = await uploadNoteImage(workspaceId, image);
    if (useWorkspace.getState().workspaceId !== workspaceId) return undefined;
    await loadUploadedImage(uploaded.id);
    return uploaded;
  } catch (error) {
    showError(new Error(uploadProblem(error)));
    return undefined;
  } finally {
    useUploads.setState(({ uploads }) => ({ uploads: uploads.filter((one) => one.id !== id) }));
  }
}

function uploadProblem(error: unknown): string {
  if (error instanceof ApiError && error.status === 0) {
    return `${SERVER_UNREACHABLE} The image was not added. Add it again when you are online.`;
  }
  return `The image was not added. ${errorText(error)}`;
}

async function measure(image: Blob): Promise<{ width: number; height: number } | null> {
  try {
    const bitmap = await createImageBitmap(image);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch {
    return null;
  }
}

/** The rectangle of a new image centered at a point, on the grid. */
function rectAround(size: { width: number; height: number }, at: Point): Rect {
  const shown = imageSize(size, defaultSize('image'));
  return {
    x: snapToGrid(at.x - shown.width / 2),
    y: snapToGrid(at.y - shown.height / 2),
    ...shown,
  };
}
