/** Texts for the changes that an administrator can make to an account. */
import type { AccountPatch } from '@/api/generated';

interface ChangeTexts {
  /** The label of the button. */
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
    title: (name) => `Make ${name} an administrator?`,
    about:
      'Administrators manage all users, settings and the audit log, and can read all workspaces of all organizations. The change applies immediately.',
    done: (name) => `${name} is now an administrator`,
    kind: 'main',
    patch: { isAdmin: true },
  },
  removeAdmin: {
    name: 'Remove administrator role',
    title: (name) => `Remove the administrator role of ${name}?`,
    about: 'The change applies immediately. Their roles in organizations and workspaces stay the same.',
    done: (name) => `${name} is no longer an administrator`,
    kind: 'danger',
    patch: { isAdmin: false },
  },
  suspend: {
    name: 'Suspend',
    title: (name) => `Suspend ${name}?`,
    about:
      'All their sessions and tokens stop working immediately, including those of scripts. No data is deleted, and lifting the suspension restores access.',
    done: (name) => `${name} is suspended`,
    kind: 'danger',
    patch: { isSuspended: true },
  },
  unsuspend: {
    name: 'Lift suspension',
    title: (name) => `Lift the suspension of ${name}?`,
    about: 'Their sessions and tokens work again, unless they have expired.',
    done: (name) => `${name} can sign in again`,
    kind: 'main',
    patch: { isSuspended: false },
  },
} as const satisfies Record<string, ChangeTexts>;

export type UserChange = keyof typeof USER_CHANGES;
