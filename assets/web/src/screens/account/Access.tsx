/** Everything that has access to the account: sessions, connected apps and tokens. */
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useParams } from 'wouter';
import { useConnectors, useMe, useSessions, useTokens } from '@/data/accountQueries';
import { useOrganizations } from '@/data/queries';
import { Loading } from '@/ui/Loading';
import styles from './Access.module.css';
import { ConnectedApps } from './ConnectedApps';
import { Sessions } from './Sessions';
import { Tokens } from './Tokens';

/** The last segments of URLs that lead to a part of this page. */
export const ACCESS_PARTS: readonly string[] = ['sessions', 'programs', 'tokens'];

export function Access() {
  const queries = [useSessions(), useConnectors(), useTokens('member'), useOrganizations(), useMe()];
  // Lists that are loaded one by one would move those below. Later, lists that failed are loaded again in place.
  const wasLoaded = useRef(false);
  wasLoaded.current ||= queries.every(({ isPending }) => !isPending);
  if (!wasLoaded.current) return <Loading what="access to your account" />;
  return (
    <>
      <Part id="sessions">
        <Sessions />
      </Part>
      <Part id="programs">
        <ConnectedApps />
      </Part>
      <Part id="tokens">
        <Tokens />
      </Part>
    </>
  );
}

function Part({ id, children }: { id: string; children: ReactNode }) {
  const { section } = useParams();
  const element = useRef<HTMLDivElement>(null);
  const isRequested = section === id;
  useLayoutEffect(() => {
    if (isRequested) element.current?.scrollIntoView({ block: 'start' });
  }, [isRequested]);
  return (
    <div ref={element} className={styles.part}>
      {children}
    </div>
  );
}
