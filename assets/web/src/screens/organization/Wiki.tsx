/** The wiki connection of the organization, its state, and the refresh of its links. */
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { errorText } from '@/api/errors';
import {
  disconnectWiki,
  getWikiIconUrl,
  refreshWikiLinks,
  startWiki,
  testWiki,
  type WikiRefresh,
  type WikiStatus,
} from '@/api/generated';
import { formatCount } from '@/core/text';
import { formatDateTime } from '@/core/time/format';
import { isEmoji } from '@/core/wiki/icon';
import { wikiOutcome } from '@/core/wiki/wikiOutcome';
import { accountQueryKeys, invalidate, useWikiStatus } from '@/data/accountQueries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DescriptionList } from '@/ui/DataList';
import { FormError, FormNote } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { RelativeTime } from '@/ui/RelativeTime';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';
import { useAction } from '@/ui/useAction';
import { WikiIcon } from '@/ui/WikiIcon';
import { AdminsOnly } from './AdminsOnly';
import type { OrganizationProps } from './organizationProps';

export function Wiki(props: OrganizationProps) {
  return (
    <AdminsOnly organization={props.organization} title="Wiki">
      <Connection {...props} />
    </AdminsOnly>
  );
}

function Connection({ organization }: OrganizationProps) {
  const { outcome, forget } = useOutcome();
  const query = useWikiStatus(organization.id);
  return (
    <>
      <Panel
        title="Wiki"
        about="Connect your Notion workspace to show titles and icons of linked pages and to pick pages from a list."
      >
        {outcome && (
          <FormNote tone={outcome.good ? 'good' : 'warn'}>
            <p role="status">{outcome.text}</p>
          </FormNote>
        )}
        <QueryResult query={query} what="the wiki connection">
          {(status) =>
            status.configured ? (
              <Connected status={status} organization={organization} onAct={forget} />
            ) : (
              <NotConnected status={status} organization={organization} />
            )
          }
        </QueryResult>
      </Panel>
      {query.data?.configured && <Links status={query.data} organization={organization} />}
    </>
  );
}

/** The outcome of connecting, shown after the redirect. Hidden after a reload or the next action. */
function useOutcome() {
  const [search, setSearch] = useSearchParams();
  const word = search.get('wiki');
  const [outcome, setOutcome] = useState(() => wikiOutcome(word));
  useEffect(() => {
    if (word !== null) setSearch({}, { replace: true });
  }, [word, setSearch]);
  return { outcome, forget: () => setOutcome(undefined) };
}

/** Opens the provider's authorization page. */
async function goToProvider(): Promise<void> {
  const { url } = await startWiki();
  location.assign(url);
}

function NotConnected({ status, organization }: { status: WikiStatus } & OrganizationProps) {
  const { busy, error, run } = useAction();
  if (!status.oauthReady) {
    return (
      <FormNote>
        <p>
          This server is not registered with Notion yet. The server operator can register it with{' '}
          <code>planroom wiki setup</code>, using this redirect URI: <code>{status.redirectUri}</code>
        </p>
        <p style={{ marginTop: 'var(--gap-2)' }}>
          If Notion can’t redirect browsers to this server, connect only this organization with the token of
          an internal integration: <code>planroom wiki connect --org {organization.slug}</code>
        </p>
      </FormNote>
    );
  }
  return (
    <>
      <p>
        The wiki is not connected. Notion will ask you which pages to share with this organization. All its
        members can then list these pages by title.
      </p>
      <FormError text={error ? errorText(error) : undefined} />
      <div>
        <Button kind="main" busy={busy} onClick={() => void run(goToProvider)}>
          Connect wiki
        </Button>
      </div>
    </>
  );
}

type ConnectedProps = { status: WikiStatus; onAct: () => void } & OrganizationProps;

function Connected({ status, organization, onAct }: ConnectedProps) {
  const [isEnding, setEnding] = useState(false);
  const { busy, error, run } = useAction();
  const refresh = () => invalidate(accountQueryKeys.wiki(organization.id));
  const test = async () => {
    onAct();
    try {
      const { name, workspaceName } = await testWiki();
      showToast(
        `Connection works: wiki ${workspaceName ?? '(unnamed)'}, connected as ${name ?? '(unnamed)'}`,
      );
    } finally {
      await refresh();
    }
  };
  const end = async () => {
    await disconnectWiki();
    onAct();
    await refresh();
    showToast('Wiki disconnected');
  };
  return (
    <>
      {status.brokenSince !== null && (
        <FormNote tone="warn">
          <p>
            The wiki has rejected this connection since {formatDateTime(status.brokenSince)}. It was removed
            in Notion or lacks permissions.{' '}
            {status.oauthReady
              ? 'Reconnect the wiki to fix this.'
              : `The server operator can reconnect it with planroom wiki connect --org ${organization.slug}.`}
          </p>
        </FormNote>
      )}
      <DescriptionList
        of={[
          ['Status', <State key="state" isWhole={status.brokenSince === null} />],
          ['Wiki', <Name key="wiki" status={status} />],
          [
            'Connected by',
            status.kind === 'token'
              ? 'token of an internal integration'
              : (status.ownerName ?? 'an unknown user'),
          ],
          ['Since', status.connectedAt === null ? '' : formatDateTime(status.connectedAt)],
        ]}
      />
      {/* If access was revoked, the alert above already says so. */}
      <FormError text={error && status.brokenSince === null ? errorText(error) : undefined} />
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--gap-2)' }}>
        <Button busy={busy} onClick={() => void run(test)}>
          Test connection
        </Button>
        {status.oauthReady && (
          <Button
            kind={status.brokenSince === null ? 'plain' : 'main'}
            disabled={busy}
            onClick={() => void run(goToProvider)}
          >
            Reconnect
          </Button>
        )}
        <Button kind="danger" disabled={busy} onClick={() => setEnding(true)}>
          Disconnect
        </Button>
      </div>
      <ConfirmDialog
        open={isEnding}
        onClose={() => setEnding(false)}
        title="Disconnect wiki?"
        confirm="Disconnect wiki"
        onConfirm={end}
      >
        <p>
          The stored credentials are deleted and revoked in the wiki. Links to its pages keep their current
          titles, which are no longer refreshed.
        </p>
      </ConfirmDialog>
    </>
  );
}

function State({ isWhole }: { isWhole: boolean }) {
  return isWhole ? <Badge tone="good">Connected</Badge> : <Badge tone="warn">Rejected</Badge>;
}

function Name({ status: { workspaceIcon: icon, workspaceName } }: { status: WikiStatus }) {
  const name = workspaceName ?? '(unnamed)';
  // Emoji can be part of the text.
  if (!icon || isEmoji(icon)) return `${icon ? `${icon} ` : ''}${name}`;
  return (
    <>
      <span style={{ display: 'inline-block', marginRight: 'var(--gap-2)', verticalAlign: 'middle' }}>
        <WikiIcon icon={icon} path={getWikiIconUrl()} kind="wiki-page" />
      </span>
      {name}
    </>
  );
}

function Links({ status, organization }: { status: WikiStatus } & OrganizationProps) {
  const { busy, error, run } = useAction();
  const round = status.refresh;
  const start = async () => {
    await refreshWikiLinks();
    await invalidate(accountQueryKeys.wiki(organization.id));
  };
  return (
    <Panel title="Links" about="The titles of all linked pages are refreshed once a day in the background.">
      {round ? <RefreshRound round={round} /> : <p>Not refreshed since the server started.</p>}
      <FormError text={error ? errorText(error) : undefined} />
      <div>
        <Button
          busy={busy}
          disabled={round?.running === true || status.brokenSince !== null}
          onClick={() => void run(start)}
        >
          Refresh now
        </Button>
      </div>
    </Panel>
  );
}

function RefreshRound({ round }: { round: WikiRefresh }) {
  const result = `${round.done} of ${formatCount(round.total, 'page')} checked, ${formatCount(round.changed, 'link')} updated`;
  if (!round.running && round.total === 0) return <p>No links to wiki pages yet.</p>;
  return (
    <>
      {round.running && (
        <progress
          style={{ width: '100%' }}
          max={round.total || 1}
          value={round.done}
          aria-label="Links refreshed"
        />
      )}
      <p>
        {result}.
        {!round.running && (
          <>
            {' '}
            Finished <RelativeTime time={round.finishedAt ?? round.startedAt} />.
          </>
        )}
      </p>
      {!round.running && round.done < round.total && (
        <p>
          The refresh stopped early because the wiki rejected further requests. The remaining links are
          unchanged.
        </p>
      )}
      {round.failed > 0 && (
        <p>
          {formatCount(round.failed, 'page')} could not be found. They may be deleted or no longer shared with
          the connection in Notion. Links to them keep their current titles.
        </p>
      )}
    </>
  );
}
