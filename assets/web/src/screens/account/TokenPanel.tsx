/** A list of tokens with a form to create one, used on the account and administration pages. */
import { Fragment, type ReactNode, useState } from 'react';
import type { CreatedToken, Token } from '@/api/generated';
import { accountQueryKeys, invalidate, useTokens } from '@/data/accountQueries';
import { useOrganizations } from '@/data/queries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { TextField } from '@/ui/Field';
import { Form, FormError, FormNote, SubmitButton } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { LastUse, RelativeTime } from '@/ui/RelativeTime';
import { Secret } from '@/ui/Secret';
import { Panel } from '@/ui/Sections';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';

interface Props {
  as: 'member' | 'admin';
  title: string;
  about: ReactNode;
  create: (name: string, orgId: string) => Promise<CreatedToken>;
  revoke: (id: number) => Promise<void>;
  /** An example command that uses the token. */
  example: (token: string) => string;
  /** Filters the tokens to list. */
  belongs?: (token: Token) => boolean;
  /** Additional fields for a new token. */
  children?: ReactNode;
}

export function TokenPanel({
  as,
  title,
  about,
  create,
  revoke,
  example,
  belongs = () => true,
  children,
}: Props) {
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const form = useForm(['name', 'orgId'], async ({ name, orgId }) => {
    setCreated(await create(name, orgId));
    void invalidate(accountQueryKeys.tokens);
  });
  return (
    <>
      <Panel title={title} about={about}>
        {created ? (
          <>
            <FormNote tone="warn">
              <p>
                Created token “{created.name}”. {created.hint}
              </p>
            </FormNote>
            <Secret label="Token" value={created.token} />
            <Secret label="Example request" value={example(created.token)} />
            <div>
              <Button kind="main" onClick={() => setCreated(null)}>
                Done
              </Button>
            </div>
          </>
        ) : (
          <Form form={form}>
            <TextField label="Token name" name="name" autoComplete="off" placeholder="Nightly import" />
            {children}
            <FormError text={form.problem()} />
            <div>
              <SubmitButton form={form}>Create token</SubmitButton>
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
  const [selected, setSelected] = useState<Token | null>(null);
  const [withRevoked, setWithRevoked] = useState(false);
  const where = (token: Token) => {
    if (token.orgId === null) return 'Instance administration';
    return (
      organizations.find((organization) => organization.id === token.orgId)?.name ??
      'An organization you left'
    );
  };
  const onConfirm = async () => {
    if (!selected) return;
    await revoke(selected.id);
    await invalidate(accountQueryKeys.tokens);
    showToast(`Revoked “${selected.name}”`);
  };
  const all = query.data?.tokens.filter(belongs) ?? [];
  const activeTokens = all.filter((token) => token.revokedAt === null);
  const shown = (withRevoked ? all : activeTokens).toReversed();
  return (
    <Panel
      title={`Active tokens: ${activeTokens.length}`}
      actions={
        all.length > activeTokens.length && (
          <Button kind="quiet" aria-pressed={withRevoked} onClick={() => setWithRevoked(!withRevoked)}>
            Show revoked tokens
          </Button>
        )
      }
    >
      <QueryResult query={query} what="your tokens">
        {() =>
          shown.length === 0 ? (
            <EmptyList>No tokens yet. Scripts and builds use a token instead of your password.</EmptyList>
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
                    <Fragment key="created">
                      created <RelativeTime time={token.createdAt} />
                    </Fragment>,
                    <LastUse key="used" time={token.lastUsedAt} />,
                  ]}
                  actions={
                    token.revokedAt === null && (
                      <Button
                        kind="danger"
                        aria-label={`Revoke ${token.name}`}
                        onClick={() => setSelected(token)}
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
        open={selected !== null}
        onClose={() => setSelected(null)}
        title={`Revoke “${selected?.name}”?`}
        confirm="Revoke token"
        onConfirm={onConfirm}
      >
        <p>
          Scripts that use <code>{selected?.prefix}…</code> lose access immediately. You can’t undo this.
        </p>
      </ConfirmDialog>
    </Panel>
  );
}
