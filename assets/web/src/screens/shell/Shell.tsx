/** The app bar of all signed-in pages: the organization, the page's title and tabs, and the account menu. */

import { Building2, Check, Search, Settings, Users } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { openDialog } from '@/actions/dialogs';
import { usePageCommands } from '@/actions/pageCommands';
import { currentPath } from '@/api/base';
import { useSession } from '@/api/session';
import { useOrganizations } from '@/data/queries';
import { orgPath, useOrgSlug } from '@/routing/paths';
import { InboxButton } from '@/screens/inbox/InboxButton';
import { Button, IconButton } from '@/ui/Button';
import { Menu, MenuItem, MenuSeparator } from '@/ui/Menu';
import { InMainContext } from '@/ui/Notice';
import { useMedia } from '@/ui/useMedia';
import { AccountMenu } from './AccountMenu';
import { HelpMenu } from './HelpMenu';
import styles from './Shell.module.css';

const Commands = lazy(() => import('@/screens/commands/Commands'));

interface Props {
  /** The title, next to the organization. */
  middle?: ReactNode;
  /** Tabs with the accessible name of their navigation. On narrow screens they are in a second row. */
  tabs?: { of: string; links: ReactNode };
  /** Tools next to the account menu. */
  tools?: ReactNode;
  children: ReactNode;
}

export function Shell({ middle, tabs, tools, children }: Props) {
  const isNarrow = useMedia('(max-width: 48rem)');
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header className={styles.bar}>
        <OrganizationMenu />
        {middle && <div className={styles.middle}>{middle}</div>}
        {tabs && (
          <nav className={styles.tabs} aria-label={tabs.of}>
            {tabs.links}
          </nav>
        )}
        <div className={styles.tools}>
          {tools}
          <IconButton
            label="Search or run a command"
            icon={<Search size={18} aria-hidden />}
            onClick={() => openDialog('palette')}
          />
        </div>
        <InboxButton />
        {!isNarrow && <HelpMenu />}
        <AccountMenu withHelp={isNarrow} />
      </header>
      <main className={styles.main} id="main" tabIndex={-1}>
        <InMainContext value={true}>{children}</InMainContext>
      </main>
      <Suspense>
        <Commands />
      </Suspense>
    </div>
  );
}

function OrganizationMenu() {
  const [, navigate] = useLocation();
  const slug = useOrgSlug() || useSession.getState().session?.orgSlug || '';
  const organizations = useOrganizations().data?.organizations ?? [];
  const current = organizations.find((organization) => organization.slug === slug);
  const isAdmin = current?.role === 'org:admin';
  usePageCommands([
    isAdmin &&
      !currentPath().startsWith(orgPath(slug, 'settings')) && {
        id: 'go.settings',
        title: 'Go to organization settings',
        group: 'Go to',
        icon: Settings,
        run: () => navigate(orgPath(slug, 'settings')),
      },
    ...organizations
      .filter((organization) => organization.slug !== slug)
      .map((organization) => ({
        id: `go.organization.${organization.slug}`,
        title: `Go to organization ${organization.name}`,
        group: 'Go to' as const,
        icon: Building2,
        run: () => navigate(orgPath(organization.slug)),
      })),
  ]);
  const trigger = (
    <Button kind="quiet" icon={<Building2 size={18} aria-hidden />} className={styles.organization}>
      <span className={styles.name}>{current?.name ?? 'Organization'}</span>
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      {organizations.map((organization) => (
        <MenuItem
          key={organization.id}
          icon={organization.slug === slug && <Check size={16} aria-hidden />}
          onSelect={() => navigate(orgPath(organization.slug))}
        >
          {organization.name}
        </MenuItem>
      ))}
      {current ? (
        <>
          <MenuSeparator />
          <MenuItem icon={<Users size={16} aria-hidden />} onSelect={() => navigate(orgPath(slug, 'people'))}>
            People, teams and roles
          </MenuItem>
        </>
      ) : (
        <MenuItem onSelect={() => navigate('/account/organizations')}>Your organizations</MenuItem>
      )}
      {isAdmin && (
        <MenuItem
          icon={<Settings size={16} aria-hidden />}
          onSelect={() => navigate(orgPath(slug, 'settings'))}
        >
          Organization settings
        </MenuItem>
      )}
    </Menu>
  );
}

/** A tab in the app bar. */
export function Tab({ href, current, children }: { href: string; current: boolean; children: ReactNode }) {
  const tab = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (current) tab.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <Link ref={tab} href={href} className={styles.tab} aria-current={current ? 'page' : undefined}>
      {children}
    </Link>
  );
}
