/** The bar that every signed-in page has: the organization at top left, what is on this page, one's own menu at right. */
import { Building2, Check, Search, Settings, Users } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { openDialog } from '@/actions/dialogs';
import { useSession } from '@/api/session';
import { useOrganizations } from '@/data/queries';
import { orgPath, useOrgSlug } from '@/routing/paths';
import { Button, IconButton } from '@/ui/Button';
import { Menu, MenuItem, MenuSeparator } from '@/ui/Menu';
import { InMainContext } from '@/ui/Notice';
import { AccountMenu } from './AccountMenu';
import styles from './Shell.module.css';

const Commands = lazy(() => import('@/screens/commands/Commands'));

interface Props {
  /** What stands beside the organization: a title. */
  middle?: ReactNode;
  /** The pages that belong together, and what they are of. Where the bar is too narrow they are a row below it. */
  tabs?: { of: string; links: ReactNode };
  /** What stands before one's own menu. */
  tools?: ReactNode;
  children: ReactNode;
}

export function Shell({ middle, tabs, tools, children }: Props) {
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
        <AccountMenu />
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
  const current = organizations.find((one) => one.slug === slug);
  const isAdmin = current?.role === 'org:admin';
  const trigger = (
    <Button kind="quiet" icon={<Building2 size={18} aria-hidden />} className={styles.organization}>
      <span className={styles.name}>{current?.name ?? 'Organization'}</span>
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      {organizations.map((one) => (
        <MenuItem
          key={one.id}
          icon={one.slug === slug && <Check size={16} aria-hidden />}
          onSelect={() => navigate(orgPath(one.slug))}
        >
          {one.name}
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

/** A link among those in the bar; the page that is shown is marked. */
export function Tab({ href, current, children }: { href: string; current: boolean; children: ReactNode }) {
  const here = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (current) here.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <Link ref={here} href={href} className={styles.tab} aria-current={current ? 'page' : undefined}>
      {children}
    </Link>
  );
}
