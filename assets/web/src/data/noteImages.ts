/** Uploads images of notes, and loads them with the user's token, which an `<img>` would not send. */
import { send } from '@/api/http';
import { limitConcurrency } from '@/core/concurrency';

/** An uploaded image. The same picture always gets the same ID. */
export interface UploadedImage {
  id: string;
  width: number;
  height: number;
}

/** Large images on slow connections take longer than other requests. */
const UPLOAD_TIMEOUT_MS = 120_000;
/** Limits parallel requests, so that images do not delay other requests. */
const limitRequests = limitConcurrency(3);

function imagesPath(workspaceId: string): string {
  return `/api/workspaces/${encodeURIComponent(workspaceId)}/images`;
}

export async function uploadImage(workspaceId: string, image: Blob): Promise<UploadedImage> {
  const answer = await send(imagesPath(workspaceId), {
    method: 'POST',
    headers: { 'Content-Type': image.type },
    body: image,
    timeout: UPLOAD_TIMEOUT_MS,
  });
  return (await answer.json()) as UploadedImage;
}

/** Throws `ApiError` with status 404 if the image does not exist. */
export function fetchImage(workspaceId: string, imageId: string): Promise<Blob> {
  return limitRequests(async () =>
    (
      await send(`${imagesPath(workspaceId)}/${encodeURIComponent(imageId)}`, { timeout: UPLOAD_TIMEOUT_MS })
    ).blob(),
  );
}
