/** What an administrator changes of an account, in words: what happens at once, and how it is taken back. */
import type { AccountPatch } from '@/api/generated';

interface ChangeTexts {
  /** The button. */
  name: string;
  title: (who: string) => string;
  about: string;
  done: (who: string) => string;
  kind: 'main' | 'danger';
  patch: AccountPatch;
}

export const USER_CHANGES = {
  makeAdmin: {
    name: 'Make administrator',
    title: (who) => `Make ${who} an administrator?`,
    about:
      'They then look after all accounts, settings and the audit log, and read every map of every organization. It holds from their next request on.',
    done: (who) => `${who} is an administrator now.`,
    kind: 'main',
    patch: { isAdmin: true },
  },
  unmakeAdmin: {
    name: 'Unmake administrator',
    title: (who) => `Is ${who} to be an administrator no longer?`,
    about: 'It holds from their next request on. What they are in organizations and workspaces stays.',
    done: (who) => `${who} is no administrator any more.`,
    kind: 'danger',
    patch: { isAdmin: false },
  },
  suspend: {
    name: 'Suspend',
    title: (who) => `Suspend ${who}?`,
    about:
      'From their next request on every session and every token of theirs is refused, also those of scripts. Nothing of theirs is deleted: lift the suspension, and all is as it was.',
    done: (who) => `${who} is suspended.`,
    kind: 'danger',
    patch: { isSuspended: true },
  },
  unsuspend: {
    name: 'Lift suspension',
    title: (who) => `Lift the suspension of ${who}?`,
    about:
      'Their sessions and tokens work again with their next request, unless they have run out meanwhile.',
    done: (who) => `${who} may sign in again.`,
    kind: 'main',
    patch: { isSuspended: false },
  },
} as const satisfies Record<string, ChangeTexts>;

export type UserChange = keyof typeof USER_CHANGES;
