/** Photos of people, and of users through their person entry. */
import { getReadPhotoUrl } from '@/api/generated';
import type { Picture } from '@/ui/usePicture';
import { usePeople } from './queries';

/** The photo of a person, if they have one. */
export function photoOf(person: { id: string; photoUrl?: string | null } | undefined): Picture | undefined {
  return person?.photoUrl ? { path: getReadPhotoUrl(person.id), from: person.photoUrl } : undefined;
}

/** What `Avatar` needs to show a user or a person. */
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

/** The same for a person of whom only a summary is known. A person with an account has the color of the account. */
export function useFaceOfPerson(): (card: { id: string; name: string; photoUrl?: string | null }) => Face {
  const people = usePeople().data?.people;
  return (card) => {
    const person = people?.find(({ id }) => id === card.id);
    return { of: person?.userId ?? card.id, name: card.name, photo: photoOf(person ?? card) };
  };
}
