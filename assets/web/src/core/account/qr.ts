/** A QR code as one path of unit squares, for an SVG of our own. */
import qrcode from 'qrcode-generator';

/** Empty modules around it, without which readers do not find it. */
const QUIET_ZONE = 4;

export interface QrPath {
  /** Side of the drawing, in modules. */
  size: number;
  /** The `d` of a path: what is dark. */
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
