/** Pictures that move, for those who want less of that. */

/** Kinds of pictures that may have several frames. A PNG may, too. */
const ANIMATED_TYPES = ['image/gif', 'image/webp', 'image/png', 'image/avif'];

/** What is shown of a picture: all of it, or its first frame alone where less motion is wanted and it might move. */
export async function withoutAnimation(image: Blob): Promise<Blob> {
  const isWanted = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return isWanted && ANIMATED_TYPES.includes(image.type) ? firstFrame(image) : image;
}

async function firstFrame(image: Blob): Promise<Blob> {
  // Of a picture with several frames this is the first, or the one that stands for all.
  const frame = await createImageBitmap(image);
  const canvas = new OffscreenCanvas(frame.width, frame.height);
  canvas.getContext('2d')?.drawImage(frame, 0, 0);
  frame.close();
  return canvas.convertToBlob();
}
