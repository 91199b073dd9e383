/** Whose face is shown: the photograph of a person, or of the person that a user is. */
import { getReadPhotoUrl } from '@/api/generated';
import { usePeople } from './queries';
import type { Picture } from './useImage';

/** The photograph of a person, if their entry names one. */
export function photoOf(person: { id: string; photoUrl?: string | null } | undefined): Picture | undefined {
  return person?.photoUrl ? { path: getReadPhotoUrl(person.id), from: person.photoUrl } : undefined;
}

/** Who is shown for a user or a person: for `Avatar`. */
export interface Face {
  of: number | string;
  name: string;
  photo: Picture | undefined;
}

/** Looks users up among the people of the organization. */
export function useFaceOfUser(): (user: { id: number; displayName: string }) => Face {
  const people = usePeople().data?.people;
  return ({ id, displayName }) => ({
    of: id,
    name: displayName,
    photo: photoOf(people?.find(({ userId }) => userId === id)),
  });
}

/** The same for a person of whom only a card is known: who has an account has the colour of it. */
export function useFaceOfPerson(): (card: { id: string; name: string; photoUrl?: string | null }) => Face {
  const people = usePeople().data?.people;
  return (card) => {
    const person = people?.find(({ id }) => id === card.id);
    return { of: person?.userId ?? card.id, name: card.name, photo: photoOf(person ?? card) };
  };
}
