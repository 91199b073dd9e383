/** The wiki of the organization: connecting it, how it does, and how far its links are refreshed. */
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { errorText } from '@/api/errors';
import {
  disconnectWiki,
  getReadWikiIconUrl,
  refreshWikiLinks,
  startWiki,
  testWiki,
  type WikiRound,
  type WikiStatus,
} from '@/api/generated';
import { formatCount } from '@/core/text';
import { formatDateTime, formatRelative } from '@/core/time/format';
import { isEmoji } from '@/core/wiki/icon';
import { wikiOutcome } from '@/core/wiki/outcome';
import { accountQueryKeys, invalidate, useWikiStatus } from '@/data/accountQueries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DescriptionList } from '@/ui/DataList';
import { FormError, FormNote } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
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
        about="The wiki is your workspace in Notion. Once it is connected, links to its pages have their titles and icons, and pages can be chosen from a list."
      >
        {outcome && (
          <FormNote tone={outcome.good ? 'good' : 'warn'}>
            <p role="status">{outcome.text}</p>
          </FormNote>
        )}
        <QueryResult query={query} what="the connection">
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

/**
 * What came of connecting, for whoever has just come back. A reload does not tell it again, nor does it outlive what is
 * done next.
 */
function useOutcome() {
  const [search, setSearch] = useSearchParams();
  const word = search.get('wiki');
  const [outcome, setOutcome] = useState(() => wikiOutcome(word));
  useEffect(() => {
    if (word !== null) setSearch({}, { replace: true });
  }, [word, setSearch]);
  return { outcome, forget: () => setOutcome(undefined) };
}

/** Leaves for the provider's page, on which one agrees. */
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
          This server is not registered at Notion yet. Whoever runs it does that with{' '}
          <code>planroom wiki setup</code>. What has to be registered there is this redirect URI:{' '}
          <code>{status.redirectUri}</code>
        </p>
        <p style={{ marginTop: 'var(--gap-2)' }}>
          Where browsers cannot come back from outside, they connect this organization alone, by the token of
          an internal integration: <code>planroom wiki connect --org {organization.slug}</code>
        </p>
      </FormNote>
    );
  }
  return (
    <>
      <p>
        The wiki is not connected. Notion asks you which pages this organization may see; everybody in it can
        then list these by their titles.
      </p>
      <FormError text={error ? errorText(error) : undefined} />
      <div>
        <Button kind="main" busy={busy} onClick={() => void run(goToProvider)}>
          Connect the wiki
        </Button>
      </div>
    </>
  );
}

type ConnectedProps = { status: WikiStatus; onAct: () => void } & OrganizationProps;

function Connected({ status, organization, onAct }: ConnectedProps) {
  const [isEnding, setEnding] = useState(false);
  const { busy, error, run } = useAction();
  const again = () => invalidate(accountQueryKeys.wiki(organization.id));
  const test = async () => {
    onAct();
    try {
      const { name, workspaceName } = await testWiki();
      showToast(`It works: the wiki ${workspaceName ?? ''} knows this organization as ${name ?? 'itself'}.`);
    } finally {
      await again();
    }
  };
  const end = async () => {
    await disconnectWiki();
    onAct();
    await again();
    showToast('The wiki is disconnected.');
  };
  return (
    <>
      {status.brokenSince !== null && (
        <FormNote tone="warn">
          <p>
            The wiki has refused this connection since {formatDateTime(status.brokenSince)}: it was removed
            there, or may no longer do what it has to.{' '}
            {status.oauthReady
              ? 'Connecting it again mends that.'
              : `Whoever runs this server connects it again, with planroom wiki connect --org ${organization.slug}.`}
          </p>
        </FormNote>
      )}
      <DescriptionList
        of={[
          ['State', <State key="state" isWhole={status.brokenSince === null} />],
          ['Wiki', <Name key="wiki" status={status} />],
          [
            'By',
            status.kind === 'token'
              ? 'the token of an internal integration'
              : (status.ownerName ?? 'somebody'),
          ],
          ['Since', status.connectedAt === null ? '' : formatDateTime(status.connectedAt)],
        ]}
      />
      {/* That it is refused is told above. */}
      <FormError text={error && status.brokenSince === null ? errorText(error) : undefined} />
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--gap-2)' }}>
        <Button busy={busy} onClick={() => void run(test)}>
          Try the connection
        </Button>
        {status.oauthReady && (
          <Button
            kind={status.brokenSince === null ? 'plain' : 'main'}
            disabled={busy}
            onClick={() => void run(goToProvider)}
          >
            Connect again
          </Button>
        )}
        <Button kind="danger" disabled={busy} onClick={() => setEnding(true)}>
          Disconnect
        </Button>
      </div>
      <ConfirmDialog
        open={isEnding}
        onClose={() => setEnding(false)}
        title="Disconnect the wiki?"
        confirm="Disconnect it"
        onConfirm={end}
      >
        <p>
          What is known of the wiki is deleted here, and the wiki is told. Links to its pages stay with the
          titles that they have, and are not refreshed any more.
        </p>
      </ConfirmDialog>
    </>
  );
}

function State({ isWhole }: { isWhole: boolean }) {
  return isWhole ? <Badge tone="good">Connected</Badge> : <Badge tone="warn">Refused</Badge>;
}

function Name({ status: { workspaceIcon: icon, workspaceName } }: { status: WikiStatus }) {
  const name = workspaceName ?? 'without a name';
  // An emoji can stand in the text.
  if (!icon || isEmoji(icon)) return `${icon ? `${icon} ` : ''}${name}`;
  return (
    <>
      <span style={{ display: 'inline-block', marginRight: 'var(--gap-2)', verticalAlign: 'middle' }}>
        <WikiIcon icon={icon} path={getReadWikiIconUrl()} kind="wiki-page" />
      </span>
      {name}
    </>
  );
}

function Links({ status, organization }: { status: WikiStatus } & OrganizationProps) {
  const { busy, error, run } = useAction();
  const round = status.refresh;
  const begin = async () => {
    await refreshWikiLinks();
    await invalidate(accountQueryKeys.wiki(organization.id));
  };
  return (
    <Panel
      title="Links"
      about="Once a day all pages that links lead to are looked up again, slowly enough that nobody has to wait for it."
    >
      {round ? <RefreshRound round={round} /> : <p>They were not refreshed since the server started.</p>}
      <FormError text={error ? errorText(error) : undefined} />
      <div>
        <Button
          busy={busy}
          disabled={round?.running === true || status.brokenSince !== null}
          onClick={() => void run(begin)}
        >
          Refresh them now
        </Button>
      </div>
    </Panel>
  );
}

function RefreshRound({ round }: { round: WikiRound }) {
  const result = `${round.done} of ${formatCount(round.total, 'page')} looked up, ${formatCount(round.changed, 'link')} changed`;
  if (!round.running && round.total === 0) return <p>No links lead to pages of the wiki yet.</p>;
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
        {result}.{!round.running && ` It ended ${formatRelative(round.finishedAt ?? round.startedAt)}.`}
      </p>
      {!round.running && round.done < round.total && (
        <p>It ended early, for the wiki did not let it go on. The links not reached are as they were.</p>
      )}
      {round.failed > 0 && (
        <p>
          {formatCount(round.failed, 'page')} could not be looked up: most often they are gone, or no longer
          shared with the connection in Notion. Links to them keep the titles that they have.
        </p>
      )}
    </>
  );
}
