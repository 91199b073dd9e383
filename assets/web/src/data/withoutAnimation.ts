/** Shows animated images as still images for users who prefer reduced motion. */

/** Media types that can be animated, including PNG. */
const ANIMATED_TYPES = ['image/gif', 'image/webp', 'image/png', 'image/avif'];

/** Returns the image, or only its first frame if it may be animated and reduced motion is preferred. */
export async function withoutAnimation(image: Blob): Promise<Blob> {
  const isWanted = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return isWanted && ANIMATED_TYPES.includes(image.type) ? firstFrame(image) : image;
}

async function firstFrame(image: Blob): Promise<Blob> {
  // For animated images, this is the first or default frame.
  const frame = await createImageBitmap(image);
  const canvas = new OffscreenCanvas(frame.width, frame.height);
  canvas.getContext('2d')?.drawImage(frame, 0, 0);
  frame.close();
  return canvas.convertToBlob();
}
