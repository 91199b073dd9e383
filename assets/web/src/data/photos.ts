/** Photos of people, and of users by their person entry. */
import { getReadPhotoUrl } from '@/api/generated';
import { usePeople } from './queries';
import type { ImageSource } from './useImage';

/** The photo of a person, if they have one. */
export function personPhoto(
  person: { id: string; photoUrl?: string | null } | undefined,
): ImageSource | undefined {
  return person?.photoUrl ? { path: getReadPhotoUrl(person.id), from: person.photoUrl } : undefined;
}

/** The props of `Avatar` for a user or a person. */
export interface AvatarInfo {
  of: number | string;
  name: string;
  photo: ImageSource | undefined;
}

/** Looks users up among the people of the organization. */
export function useUserAvatar(): (user: { id: number; displayName: string }) => AvatarInfo {
  const people = usePeople().data?.people;
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
