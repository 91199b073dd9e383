/** Converts an SVG to a PNG in the browser. */

/** The maximum side length and number of pixels that browsers render reliably. */
const MAX_SIDE = 8192;
const MAX_PIXELS = 32_000_000;
/** Pixels per map unit, for high-density screens. */
const PIXEL_RATIO = 2;

/** The scale for an image of this size: `PIXEL_RATIO`, or less to stay within the limits. */
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
    if (!blob) throw new Error('The image is too large for this browser. Export an SVG or a selection.');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
