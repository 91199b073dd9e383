/** Uploads images of notes, and loads them with the user's token, which an `<img>` would not send. */
import { getImageUrl, type NoteImage, uploadImage } from '@/api/generated';
import { send } from '@/api/http';
import { limitConcurrency } from '@/core/concurrency';

/** Large images on slow connections take longer than other requests. */
const UPLOAD_TIMEOUT_MS = 120_000;
/** Limits parallel requests, so that images do not delay other requests. */
const limitRequests = limitConcurrency(3);

/** Uploads an image. The same image always gets the same ID. */
export function uploadNoteImage(workspaceId: string, image: Blob): Promise<NoteImage> {
  return uploadImage(workspaceId, image, {
    headers: { 'Content-Type': image.type },
    timeout: UPLOAD_TIMEOUT_MS,
  });
}

/** Throws `ApiError` with status 404 if the image does not exist. */
export function fetchImage(workspaceId: string, imageId: string): Promise<Blob> {
  return limitRequests(async () =>
    (await send(getImageUrl(workspaceId, imageId), { timeout: UPLOAD_TIMEOUT_MS })).blob(),
  );
}
