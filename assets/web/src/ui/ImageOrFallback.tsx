/** An external image, or a fallback if it is unavailable. */
import { type ReactNode, useState } from 'react';
import { type ImageSource, useImage } from '@/data/useImage';

interface Props {
  image: ImageSource | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function ImageOrFallback({ image, className, children }: Props) {
  const address = useImage(image);
  const [broken, setBroken] = useState<string>();
  if (!address || address === broken) return children;
  // The image is decorative, since the adjacent text has the same meaning.
  return (
    <img className={className} src={address} alt="" draggable={false} onError={() => setBroken(address)} />
  );
}
