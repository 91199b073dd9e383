/** The wiki of the organization: connecting it, how it does, and how far its links are refreshed. */
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { explain } from '@/api/errors';
import {
  disconnectWiki,
  getReadWikiIconUrl,
  refreshWikiLinks,
  startWiki,
  testWiki,
  type WikiRound,
  type WikiStatus,
} from '@/api/generated';
import { counted } from '@/core/text';
import { fromNow, moment } from '@/core/time/format';
import { isEmoji } from '@/core/wiki/icon';
import { outcomeOf } from '@/core/wiki/outcome';
import { accountKeys, stale, useWikiStatus } from '@/data/accountQueries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, Pairs } from '@/ui/DataList';
import { Problem, Remark } from '@/ui/Form';
import { Loaded } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';
import { say } from '@/ui/Toasts';
import { useAction } from '@/ui/useAction';
import { WikiIcon } from '@/ui/WikiIcon';
import { AdminsOnly } from './AdminsOnly';
import type { OfOrganization } from './OrganizationSettings';

export function Wiki(props: OfOrganization) {
  return (
    <AdminsOnly organization={props.organization} title="Wiki">
      <Connection {...props} />
    </AdminsOnly>
  );
}

function Connection({ organization }: OfOrganization) {
  const { outcome, forget } = useOutcome();
  const query = useWikiStatus(organization.id);
  return (
    <>
      <Panel
        title="Wiki"
        about="The wiki is your workspace in Notion. Once it is connected, links to its pages have their titles and icons, and pages can be chosen from a list."
      >
        {outcome && (
          <Remark tone={outcome.good ? 'good' : 'warn'}>
            <p role="status">{outcome.text}</p>
          </Remark>
        )}
        <Loaded query={query} what="the connection">
          {(status) =>
            status.configured ? (
              <Connected status={status} organization={organization} onAct={forget} />
            ) : (
              <NotConnected status={status} organization={organization} />
            )
          }
        </Loaded>
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
  const [outcome, setOutcome] = useState(() => outcomeOf(word));
  useEffect(() => {
    if (word !== null) setSearch({}, { replace: true });
  }, [word, setSearch]);
  return { outcome, forget: () => setOutcome(undefined) };
}

/** Leaves for the provider's page, on which one agrees. */
async function leave(): Promise<void> {
  const { url } = await startWiki();
  location.assign(url);
}

function NotConnected({ status, organization }: { status: WikiStatus } & OfOrganization) {
  const { busy, error, run } = useAction();
  if (!status.oauthReady) {
    return (
      <Remark>
        <p>
          This server is not registered at Notion yet. Whoever runs it does that with{' '}
          <code>planroom wiki setup</code>. What has to be registered there is this redirect URI:{' '}
          <code>{status.redirectUri}</code>
        </p>
        <p style={{ marginTop: 'var(--gap-2)' }}>
          Where browsers cannot come back from outside, they connect this organization alone, by the token of
          an internal integration: <code>planroom wiki connect --org {organization.slug}</code>
        </p>
      </Remark>
    );
  }
  return (
    <>
      <p>
        The wiki is not connected. Notion asks you which pages this organization may see; everybody in it can
        then list these by their titles.
      </p>
      <Problem text={error ? explain(error) : undefined} />
      <div>
        <Button kind="main" busy={busy} onClick={() => void run(leave)}>
          Connect the wiki
        </Button>
      </div>
    </>
  );
}

type ConnectedProps = { status: WikiStatus; onAct: () => void } & OfOrganization;

function Connected({ status, organization, onAct }: ConnectedProps) {
  const [isEnding, setEnding] = useState(false);
  const { busy, error, run } = useAction();
  const again = () => stale(accountKeys.wiki(organization.id));
  const test = async () => {
    onAct();
    try {
      const { name, workspaceName } = await testWiki();
      say(`It works: the wiki ${workspaceName ?? ''} knows this organization as ${name ?? 'itself'}.`);
    } finally {
      await again();
    }
  };
  const end = async () => {
    await disconnectWiki();
    onAct();
    await again();
    say('The wiki is disconnected.');
  };
  return (
    <>
      {status.brokenSince !== null && (
        <Remark tone="warn">
          <p>
            The wiki has refused this connection since {moment(status.brokenSince)}: it was removed there, or
            may no longer do what it has to.{' '}
            {status.oauthReady
              ? 'Connecting it again mends that.'
              : `Whoever runs this server connects it again, with planroom wiki connect --org ${organization.slug}.`}
          </p>
        </Remark>
      )}
      <Pairs
        of={[
          ['State', <State key="state" isWhole={status.brokenSince === null} />],
          ['Wiki', <Name key="wiki" status={status} />],
          [
            'By',
            status.kind === 'token'
              ? 'the token of an internal integration'
              : (status.ownerName ?? 'somebody'),
          ],
          ['Since', status.connectedAt === null ? '' : moment(status.connectedAt)],
        ]}
      />
      {/* That it is refused is told above. */}
      <Problem text={error && status.brokenSince === null ? explain(error) : undefined} />
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--gap-2)' }}>
        <Button busy={busy} onClick={() => void run(test)}>
          Try the connection
        </Button>
        {status.oauthReady && (
          <Button
            kind={status.brokenSince === null ? 'plain' : 'main'}
            disabled={busy}
            onClick={() => void run(leave)}
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

function Links({ status, organization }: { status: WikiStatus } & OfOrganization) {
  const { busy, error, run } = useAction();
  const round = status.refresh;
  const begin = async () => {
    await refreshWikiLinks();
    await stale(accountKeys.wiki(organization.id));
  };
  return (
    <Panel
      title="Links"
      about="Once a day all pages that links lead to are looked up again, slowly enough that nobody has to wait for it."
    >
      {round ? <Round round={round} /> : <p>They were not refreshed since the server started.</p>}
      <Problem text={error ? explain(error) : undefined} />
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

function Round({ round }: { round: WikiRound }) {
  const result = `${round.done} of ${counted(round.total, 'page')} looked up, ${counted(round.changed, 'link')} changed`;
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
        {result}.{!round.running && ` It ended ${fromNow(round.finishedAt ?? round.startedAt)}.`}
      </p>
      {!round.running && round.done < round.total && (
        <p>It ended early, for the wiki did not let it go on. The links not reached are as they were.</p>
      )}
      {round.failed > 0 && (
        <p>
          {counted(round.failed, 'page')} could not be looked up: most often they are gone, or no longer
          shared with the connection in Notion. Links to them keep the titles that they have.
        </p>
      )}
    </>
  );
}
