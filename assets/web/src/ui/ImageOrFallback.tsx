/** A picture from elsewhere, or what stands in its place while there is none. */
import { type ReactNode, useState } from 'react';
import { type Picture, usePicture } from '@/data/useImage';

interface Props {
  picture: Picture | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function PictureOr({ picture, className, children }: Props) {
  const address = usePicture(picture);
  const [broken, setBroken] = useState<string>();
  if (!address || address === broken) return children;
  // What it shows is said beside it, wherever it stands.
  return (
    <img className={className} src={address} alt="" draggable={false} onError={() => setBroken(address)} />
  );
}
