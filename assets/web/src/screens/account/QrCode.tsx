/** A QR code, rendered locally because it contains a secret. */
import { qrPath } from '@/core/account/qr';

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = qrPath(text);
  // Dark on light in both themes, because many cameras can't read inverted codes.
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width="208"
      height="208"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
