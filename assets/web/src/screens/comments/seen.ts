/** Which threads the user has read, stored in this browser. */
import { create } from 'zustand';
import type { Thread } from '@/api/generated';
import { useSession } from '@/api/session';

/** Older entries are dropped. */
const MAX_ENTRIES = 500;

type Seen = Readonly<Record<string, number>>;

const keyOf = () => `planroom.seenThreads.${useSession.getState().user?.id ?? ''}`;

function read(): Seen {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '{}');
    return stored && typeof stored === 'object' ? (stored as Seen) : {};
  } catch {
    return {};
  }
}

const useSeen = create<{ key: string; seen: Seen }>()(() => ({ key: '', seen: {} }));

/** The times at which threads were read, by thread ID. */
export function useSeenThreads(): Seen {
  const { key, seen } = useSeen();
  return key === keyOf() ? seen : read();
}

/** Remembers that the user has read a thread. */
export function markSeen({ id, updatedAt }: Pick<Thread, 'id' | 'updatedAt'>): void {
  const before = read();
  if ((before[id] ?? 0) >= updatedAt) return;
  const { [id]: _, ...others } = before;
  const seen = Object.fromEntries([...Object.entries(others).slice(1 - MAX_ENTRIES), [id, updatedAt]]);
  localStorage.setItem(keyOf(), JSON.stringify(seen));
  useSeen.setState({ key: keyOf(), seen });
}
