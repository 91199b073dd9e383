/** A list of tokens, with a form for another. Shown in the account, and for the instance in its administration. */
import { type ReactNode, useState } from 'react';
import type { MintedToken, Token } from '@/api/generated';
import { formatDateTime, formatRelative } from '@/core/time/format';
import { accountQueryKeys, invalidate, useTokens } from '@/data/accountQueries';
import { useOrganizations } from '@/data/queries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { TextField } from '@/ui/Field';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { Secret } from '@/ui/Secret';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';

interface Props {
  as: 'member' | 'admin';
  title: string;
  about: ReactNode;
  mint: (name: string, orgId: string) => Promise<MintedToken>;
  revoke: (id: number) => Promise<void>;
  /** A command that shows the token at work. */
  example: (token: string) => string;
  /** Which of all tokens belong here; all when absent. */
  belongs?: (token: Token) => boolean;
  /** More to choose for a new one. */
  children?: ReactNode;
}

export function TokenPanel({
  as,
  title,
  about,
  mint,
  revoke,
  example,
  belongs = () => true,
  children,
}: Props) {
  const [minted, setMinted] = useState<MintedToken | null>(null);
  const form = useForm(['name', 'orgId'], async ({ name, orgId }) => {
    setMinted(await mint(name, orgId));
    void invalidate(accountQueryKeys.tokens);
  });
  return (
    <>
      <Panel title={title} about={about}>
        {minted ? (
          <>
            <FormNote tone="warn">
              <p>
                “{minted.name}” is made. {minted.hint}
              </p>
            </FormNote>
            <Secret label="Token" value={minted.token} />
            <Secret label="Try it" value={example(minted.token)} />
            <div>
              <Button kind="main" onClick={() => setMinted(null)}>
                I have taken it
              </Button>
            </div>
          </>
        ) : (
          <Form form={form}>
            <TextField
              label="What the token is for"
              name="name"
              autoComplete="off"
              placeholder="Nightly import"
              problem={form.problem('name')}
            />
            {children}
            <FormError text={form.problem()} />
            <div>
              <SubmitButton form={form}>Make a token</SubmitButton>
            </div>
          </Form>
        )}
      </Panel>
      <List as={as} revoke={revoke} belongs={belongs} />
    </>
  );
}

function List({ as, revoke, belongs }: Required<Pick<Props, 'as' | 'revoke' | 'belongs'>>) {
  const query = useTokens(as);
  const organizations = useOrganizations().data?.organizations ?? [];
  const [going, setGoing] = useState<Token | null>(null);
  const [withRevoked, setWithRevoked] = useState(false);
  const where = (token: Token) => {
    if (token.orgId === null) return 'No organization: the instance alone';
    return organizations.find((one) => one.id === token.orgId)?.name ?? 'An organization that you have left';
  };
  const confirmed = async () => {
    if (!going) return;
    await revoke(going.id);
    await invalidate(accountQueryKeys.tokens);
    showToast(`“${going.name}” is revoked.`);
  };
  const all = query.data?.tokens.filter(belongs) ?? [];
  const living = all.filter((token) => token.revokedAt === null);
  const shown = (withRevoked ? all : living).toReversed();
  return (
    <Panel
      title={`Tokens in use: ${living.length}`}
      actions={
        all.length > living.length && (
          <Button kind="quiet" aria-pressed={withRevoked} onClick={() => setWithRevoked(!withRevoked)}>
            Show revoked ones too
          </Button>
        )
      }
    >
      <QueryResult query={query} what="your tokens">
        {() =>
          shown.length === 0 ? (
            <EmptyList>
              None yet. A token is what a script or a build sends instead of your password.
            </EmptyList>
          ) : (
            <DataList label="Tokens">
              {shown.map((token) => (
                <DataRow
                  key={token.id}
                  title={token.name}
                  badges={token.revokedAt !== null && <Badge tone="alarm">Revoked</Badge>}
                  facts={[
                    <code key="prefix">{token.prefix}…</code>,
                    where(token),
                    `made ${formatDateTime(token.createdAt)}`,
                    token.lastUsedAt === null ? 'never used' : `used ${formatRelative(token.lastUsedAt)}`,
                  ]}
                  actions={
                    token.revokedAt === null && (
                      <Button
                        kind="danger"
                        aria-label={`Revoke ${token.name}`}
                        onClick={() => setGoing(token)}
                      >
                        Revoke
                      </Button>
                    )
                  }
                />
              ))}
            </DataList>
          )
        }
      </QueryResult>
      <ConfirmDialog
        open={going !== null}
        onClose={() => setGoing(null)}
        title={`Revoke “${going?.name}”?`}
        confirm="Revoke it"
        onConfirm={confirmed}
      >
        <p>
          Whatever uses <code>{going?.prefix}…</code> is refused from its next request on. It cannot be
          brought back.
        </p>
      </ConfirmDialog>
    </Panel>
  );
}
