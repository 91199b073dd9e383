/** Display names of users by ID. */
import { useMemo } from 'react';
import { useSession } from '@/api/session';
import { usePeople } from '@/data/queries';

/** The name of a user, or "you". Undefined for the system and for users who are not in the directory. */
export function useAuthor(): (userId: number | undefined) => string | undefined {
  const self = useSession((state) => state.user?.id);
  const people = usePeople().data?.people;
  return useMemo(() => {
    const names = new Map(people?.map(({ userId, name }) => [userId, name]));
    return (userId) => {
      if (userId === undefined) return undefined;
      return userId === self ? 'you' : names.get(userId);
    };
  }, [people, self]);
}
