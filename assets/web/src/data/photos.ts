/** Photos of people, of users by their person entry, and of the user's own account. */
import { getPhotoUrl, type Me, removeMyPhoto, uploadMyPhoto } from '@/api/generated';
import { useSession } from '@/api/session';
import { accountQueryKeys, invalidate } from './accountQueries';
import { invalidateDirectory, usePeople } from './queries';
import type { ImageSource } from './useImage';

/** The photo of a person, if they have one. */
export function personPhoto(
  person: { id: string; photoUrl?: string | null } | undefined,
): ImageSource | undefined {
  return person?.photoUrl ? { path: getPhotoUrl(person.id), from: person.photoUrl } : undefined;
}

/** The props of `Avatar` for a user or a person. */
export interface AvatarInfo {
  of: number | string;
  name: string;
  photo: ImageSource | undefined;
}

/** Large images on slow connections take longer than other requests. */
const UPLOAD_TIMEOUT_MS = 120_000;

/** Whether the address of a photo is that of an uploaded one: a path on this server instead of a URL. */
export function isUploadedPhoto(address: string | null | undefined): address is string {
  return address?.startsWith('/api/') === true;
}

/** The uploaded photo of the signed-in user. */
export function useOwnPhoto(): ImageSource | undefined {
  const user = useSession((state) => state.user);
  const address = user?.avatarUrl;
  const isUploaded = isUploadedPhoto(address);
  // The server fetches photos at URLs only for people.
  const avatarOf = useUserAvatar(Boolean(address) && !isUploaded);
  if (!user || !address) return undefined;
  return isUploaded ? { path: address, from: address } : avatarOf(user).photo;
}

/** Whether the browser can decode an image. */
export async function isReadableImage(image: Blob): Promise<boolean> {
  try {
    (await createImageBitmap(image)).close();
    return true;
  } catch {
    return false;
  }
}

/** Uploads the photo of the signed-in user. Resolves when the page shows it. */
export async function uploadPhoto(image: Blob): Promise<void> {
  await applyProfile(
    await uploadMyPhoto(image, { headers: { 'Content-Type': image.type }, timeout: UPLOAD_TIMEOUT_MS }),
  );
}

/** Removes the photo of the signed-in user. */
export async function removePhoto(): Promise<void> {
  await applyProfile(await removeMyPhoto());
}

/** Applies the changed profile. The user's people in the directory get the photo too. */
export async function applyProfile({ user }: Me): Promise<void> {
  if (user) useSession.setState({ user });
  invalidateDirectory();
  await invalidate(accountQueryKeys.me);
}

/** Looks users up among the people of the organization. */
export function useUserAvatar(enabled = true): (user: { id: number; displayName: string }) => AvatarInfo {
  const people = usePeople(enabled).data?.people;
  return ({ id, displayName }) => ({
    of: id,
    name: displayName,
    photo: personPhoto(people?.find(({ userId }) => userId === id)),
  });
}

/** Like `useUserAvatar`, for a person summary. If the person has an account, uses the color of the account. */
export function usePersonAvatar(): (card: {
  id: string;
  name: string;
  photoUrl?: string | null;
}) => AvatarInfo {
  const people = usePeople().data?.people;
  return (card) => {
    const person = people?.find(({ id }) => id === card.id);
    return { of: person?.userId ?? card.id, name: card.name, photo: personPhoto(person ?? card) };
  };
}
