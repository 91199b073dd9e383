/**
 * The account menu: account settings, theme, and sign-out, which requires confirmation if there are unsaved changes.
 */

import { Check, CircleUserRound, LogOut, type LucideIcon, Monitor, Moon, Shield, Sun } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { usePageCommands } from '@/actions/pageCommands';
import { currentPath } from '@/api/base';
import { useSession } from '@/api/session';
import { signOut } from '@/api/signOut';
import { formatCount } from '@/core/text';
import { useOwnPhoto } from '@/data/photos';
import { Avatar } from '@/ui/Avatar';
import { IconButton } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Menu, MenuItem, MenuSeparator } from '@/ui/Menu';
import { showError } from '@/ui/Toasts';
import { setTheme, type Theme, useTheme } from '@/ui/theme';
import { HelpItems } from './HelpMenu';

const THEMES: readonly { id: Theme; name: string; icon: LucideIcon }[] = [
  { id: 'system', name: 'System', icon: Monitor },
  { id: 'light', name: 'Light', icon: Sun },
  { id: 'dark', name: 'Dark', icon: Moon },
];

/** `withHelp` adds the entries of the help menu. */
export function AccountMenu({ withHelp }: { withHelp: boolean }) {
  const [, navigate] = useLocation();
  const chosen = useTheme();
  const user = useSession((state) => state.user);
  const photo = useOwnPhoto();
  const [unsaved, setUnsaved] = useState(0);
  // The next user to sign in should not be redirected to this page.
  const leave = () => signOut(() => navigate('/sign-in'));
  const confirmLeave = async () => {
    const { countUnsavedAfterFlush } = await import('@/workspace/outboxes');
    const count = await countUnsavedAfterFlush();
    if (count > 0) setUnsaved(count);
    else await leave();
  };
  const isAt = (page: string) => currentPath() === page;
  usePageCommands([
    !isAt('/account') && {
      id: 'go.account',
      title: 'Go to account settings',
      group: 'Go to',
      icon: CircleUserRound,
      run: () => navigate('/account'),
    },
    user?.isAdmin === true &&
      !isAt('/admin') && {
        id: 'go.administration',
        title: 'Go to administration',
        group: 'Go to',
        icon: Shield,
        run: () => navigate('/admin'),
      },
    ...THEMES.filter(({ id }) => id !== chosen).map(({ id, name, icon }) => ({
      id: `account.theme.${id}`,
      title: id === 'system' ? 'Use theme of the system' : `Use ${name.toLowerCase()} theme`,
      group: 'Account' as const,
      icon,
      run: () => setTheme(id),
    })),
    {
      id: 'account.signOut',
      title: 'Sign out',
      group: 'Account',
      icon: LogOut,
      run: () => void confirmLeave().catch(showError),
    },
  ]);
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={`Account: ${user?.displayName ?? 'not signed in'}`}
            icon={
              photo ? (
                <Avatar of={user?.id ?? 0} name={user?.displayName ?? ''} photo={photo} />
              ) : (
                <CircleUserRound size={20} aria-hidden />
              )
            }
          />
        }
      >
        <MenuItem icon={<CircleUserRound size={16} aria-hidden />} onSelect={() => navigate('/account')}>
          Account settings
        </MenuItem>
        {user?.isAdmin && (
          <MenuItem icon={<Shield size={16} aria-hidden />} onSelect={() => navigate('/admin')}>
            Administration
          </MenuItem>
        )}
        <MenuSeparator />
        {THEMES.map(({ id, name, icon: Icon }) => (
          <MenuItem
            key={id}
            icon={chosen === id ? <Check size={16} aria-label="Selected" /> : <Icon size={16} aria-hidden />}
            onSelect={() => setTheme(id)}
          >
            {name}
          </MenuItem>
        ))}
        {withHelp && (
          <>
            <MenuSeparator />
            <HelpItems />
          </>
        )}
        <MenuSeparator />
        <MenuItem
          icon={<LogOut size={16} aria-hidden />}
          onSelect={() => void confirmLeave().catch(showError)}
        >
          Sign out
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={unsaved > 0}
        onClose={() => setUnsaved(0)}
        title={`Sign out with ${formatCount(unsaved, 'unsaved change')}?`}
        confirm="Sign out"
        kind="main"
        onConfirm={leave}
      >
        <p>
          Some of your changes have not been sent to the server. They stay in this browser and are sent when
          you sign in here again. Until then, other people can’t see them.
        </p>
      </ConfirmDialog>
    </>
  );
}
