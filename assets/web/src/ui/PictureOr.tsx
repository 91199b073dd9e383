/** An external image, or a fallback while there is none. */
import { type ReactNode, useState } from 'react';
import { type Picture, usePicture } from './usePicture';

interface Props {
  picture: Picture | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function PictureOr({ picture, className, children }: Props) {
  const address = usePicture(picture);
  const [broken, setBroken] = useState<string>();
  if (!address || address === broken) return children;
  // The image is decorative; its meaning is in the text beside it.
  return (
    <img className={className} src={address} alt="" draggable={false} onError={() => setBroken(address)} />
  );
}
