/** A QR code as a single SVG path of unit squares. */
import qrcode from 'qrcode-generator';

/** The quiet zone around the code that scanners require, in modules. */
const QUIET_ZONE = 4;

export interface QrPath {
  /** The side length, in modules. */
  size: number;
  /** The path data of the dark modules. */
  path: string;
}

export function qrPath(text: string): QrPath {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const cells = Array.from({ length: count * count }, (_, place) => [
    Math.floor(place / count),
    place % count,
  ]);
  const path = cells
    .filter(([row = 0, column = 0]) => code.isDark(row, column))
    .map(([row = 0, column = 0]) => `M${column + QUIET_ZONE} ${row + QUIET_ZONE}h1v1h-1z`)
    .join('');
  return { size: count + 2 * QUIET_ZONE, path };
}
