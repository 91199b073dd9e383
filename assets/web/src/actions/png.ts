/** Turns an SVG into a PNG, in the browser. */

/** Longest side, and most points, that browsers draw reliably. */
const MAX_SIDE = 8192;
const MAX_PIXELS = 32_000_000;
/** Points of the picture for one of the map: sharp on today's screens. */
const PIXEL_RATIO = 2;

/** How a picture of this size is scaled: sharp, or as large as it can be. */
export function pngScale(width: number, height: number): number {
  const bySide = MAX_SIDE / Math.max(width, height);
  const byPoints = Math.sqrt(MAX_PIXELS / (width * height));
  return Math.min(PIXEL_RATIO, bySide, byPoints);
}

export async function toPng(svg: string, width: number, height: number): Promise<Blob> {
  const scale = pngScale(width, height);
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!blob)
      throw new Error('This browser could not draw a picture so large. Export an SVG, or a selection.');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
