/** The administration page, in sections. Works without an active organization. */
import { Hourglass, KeyRound, ScrollText, SlidersHorizontal, Users as UsersIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import { Link, useParams } from 'wouter';
import { useSession } from '@/api/session';
import { useTitle } from '@/routing/useTitle';
import { NotFound } from '@/screens/shell/NotFound';
import { Shell } from '@/screens/shell/Shell';
import { Notice } from '@/ui/Notice';
import { type Section, Sections } from '@/ui/Sections';
import { AdminTokens } from './AdminTokens';
import { Audit } from './Audit';
import { Settings } from './Settings';
import { Users } from './Users';
import { Waitlist } from './Waitlist';

const SECTIONS: readonly (Section & { part: ComponentType })[] = [
  { id: 'users', name: 'Users', icon: <UsersIcon size={16} aria-hidden />, part: Users },
  { id: 'audit', name: 'Audit log', icon: <ScrollText size={16} aria-hidden />, part: Audit },
  { id: 'waitlist', name: 'Waitlist', icon: <Hourglass size={16} aria-hidden />, part: Waitlist },
  { id: 'settings', name: 'Settings', icon: <SlidersHorizontal size={16} aria-hidden />, part: Settings },
  { id: 'tokens', name: 'Instance tokens', icon: <KeyRound size={16} aria-hidden />, part: AdminTokens },
];

export default function Administration() {
  const { section } = useParams();
  const isAdmin = useSession((state) => state.user?.isAdmin);
  const current = SECTIONS.find(({ id }) => id === (section ?? 'users'));
  useTitle(current ? `${current.name} · Administration` : undefined);
  if (!current) return <NotFound />;
  const Part = current.part;
  return (
    <Shell middle={<h1>Administration</h1>}>
      {isAdmin ? (
        <Sections label="Administration sections" base="/admin" sections={SECTIONS} current={current.id}>
          <Part />
        </Sections>
      ) : (
        <Notice title="Administrators only">
          <p>
            This page is for administrators of this instance, who manage users, the audit log and instance
            settings. To manage your organization, open its settings.
          </p>
          <p>
            <Link href="/">Go to your workspaces</Link>
          </p>
        </Notice>
      )}
    </Shell>
  );
}
