/** The images of the open workspace that have been shown, for elements, canvas drawing and exports. */
import { create } from 'zustand';
import { ApiError } from '@/api/errors';
import { fetchImage } from '@/data/noteImages';
import { useWorkspace } from '@/workspace/store';

export interface NoteImage {
  state: 'loading' | 'ready' | 'missing';
  /** Set when ready. */
  url?: string;
  element?: HTMLImageElement;
  blob?: Blob;
}

type Images = ReadonlyMap<string, NoteImage>;

/** By image ID. */
export const useNoteImages = create<{ images: Images }>()(() => ({ images: new Map() }));

const LOADING: NoteImage = { state: 'loading' };
const MISSING: NoteImage = { state: 'missing' };
/** Delay before an image is requested again if the server could not be reached. */
const RETRY_DELAY_MS = 5000;

useWorkspace.subscribe(({ workspaceId }, before) => {
  if (workspaceId === before.workspaceId) return;
  for (const { url } of useNoteImages.getState().images.values()) if (url) URL.revokeObjectURL(url);
  useNoteImages.setState({ images: new Map() });
});

function setImage(imageId: string, image: NoteImage | undefined): void {
  useNoteImages.setState(({ images }) => {
    const next = new Map(images);
    if (image) next.set(imageId, image);
    else next.delete(imageId);
    return { images: next };
  });
}

/** Loads an image unless it is known. Returns it when it is ready or known to be missing. */
export async function loadNoteImage(imageId: string): Promise<NoteImage> {
  const known = useNoteImages.getState().images.get(imageId);
  if (known && known.state !== 'loading') return known;
  const pending = loads.get(imageId);
  if (pending) return pending;
  const { workspaceId } = useWorkspace.getState();
  const load = readImage(workspaceId, imageId).finally(() => loads.delete(imageId));
  loads.set(imageId, load);
  setImage(imageId, LOADING);
  const image = await load;
  if (useWorkspace.getState().workspaceId !== workspaceId) {
    if (image.url) URL.revokeObjectURL(image.url);
    return MISSING;
  }
  if (image.state === 'loading') setTimeout(() => setImage(imageId, undefined), RETRY_DELAY_MS);
  else setImage(imageId, image);
  return image;
}

/** The requests in progress. */
const loads = new Map<string, Promise<NoteImage>>();

/** Returns the state `loading` if the request should be repeated later. */
async function readImage(workspaceId: string, imageId: string): Promise<NoteImage> {
  try {
    return await decode(await fetchImage(workspaceId, imageId));
  } catch (error) {
    return error instanceof ApiError && error.isTemporary ? LOADING : MISSING;
  }
}

async function decode(blob: Blob): Promise<NoteImage> {
  const url = URL.createObjectURL(blob);
  const element = new Image();
  element.src = url;
  try {
    await element.decode();
    return { state: 'ready', url, element, blob };
  } catch {
    URL.revokeObjectURL(url);
    return MISSING;
  }
}

/** Loads an image that was just uploaded, even if it was missing before. */
export async function loadUploadedImage(imageId: string): Promise<void> {
  if (useNoteImages.getState().images.get(imageId)?.state === 'missing') setImage(imageId, undefined);
  await loadNoteImage(imageId);
}
