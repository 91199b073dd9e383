/** Share links of the organization, and the rules for them. */
import { useState } from 'react';
import {
  type OrgShareLink,
  type OrgSharingRules,
  revokeOrgShare,
  type SharingMode,
  updateSharingRules,
} from '@/api/generated';
import { SHARE_STATES } from '@/core/model/shareLinks';
import { formatCount } from '@/core/text';
import { accountQueryKeys, invalidate, useOrgShares, useSharingRules } from '@/data/accountQueries';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { SelectField, TextField } from '@/ui/Field';
import { Form, FormError, SubmitButton } from '@/ui/Form';
import { QueryResult } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';
import { expiryFact, usesFact } from '@/ui/shareFacts';
import { showToast } from '@/ui/Toasts';
import { useForm } from '@/ui/useForm';
import { AdminsOnly } from './AdminsOnly';
import type { OrganizationProps } from './organizationProps';

export function SharingSettings(props: OrganizationProps) {
  const rules = useSharingRules(props.organization.id);
  return (
    <AdminsOnly organization={props.organization} title="Share links">
      <Panel
        title="Rules"
        about="The rules apply to existing links at once. The rules of the instance apply too; the stricter rule counts."
      >
        <QueryResult query={rules} what="rules">
          {(found) => <Rules {...props} rules={found} />}
        </QueryResult>
      </Panel>
      <List {...props} />
    </AdminsOnly>
  );
}

const MODES: readonly (readonly [SharingMode, string])[] = [
  ['links-and-embeds', 'Links, which other sites can embed'],
  ['links', 'Links'],
  ['off', 'No links'],
];

const modeName = (mode: SharingMode) => MODES.find(([id]) => id === mode)?.[1] ?? mode;

function Rules({ organization, rules }: OrganizationProps & { rules: OrgSharingRules }) {
  const { organization: own, instance } = rules;
  const form = useForm(['mode', 'maxDays', 'passwordRequired'], async (fields) => {
    await updateSharingRules({
      mode: fields.mode as SharingMode,
      maxDays: fields.maxDays.trim() === '' ? null : Number(fields.maxDays),
      passwordRequired: fields.passwordRequired === 'yes',
    });
    await invalidate(accountQueryKeys.sharingRules(organization.id));
    void invalidate(accountQueryKeys.shares(organization.id));
    showToast('Rules saved');
  });
  return (
    <Form form={form}>
      <SelectField
        label="What owners of workspaces can create"
        name="mode"
        defaultValue={own.mode}
        hint={`Rule of the instance: ${modeName(instance.mode)}.`}
      >
        {MODES.map(([mode, name]) => (
          <option key={mode} value={mode}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Maximum days until a link expires"
        name="maxDays"
        type="number"
        min={1}
        max={3650}
        autoComplete="off"
        defaultValue={own.maxDays ?? ''}
        hint={
          instance.maxDays === null
            ? 'Empty: links can be valid forever.'
            : `Empty: the rule of the instance, ${formatCount(instance.maxDays, 'day')}.`
        }
      />
      <SelectField
        label="Passwords"
        name="passwordRequired"
        defaultValue={own.passwordRequired ? 'yes' : 'no'}
        hint={instance.passwordRequired ? 'The instance requires a password.' : undefined}
      >
        <option value="no">Optional</option>
        <option value="yes">Required</option>
      </SelectField>
      <FormError text={form.problem()} />
      <div>
        <SubmitButton form={form}>Save rules</SubmitButton>
      </div>
    </Form>
  );
}

function List({ organization }: OrganizationProps) {
  const query = useOrgShares(organization.id);
  const [selected, setSelected] = useState<OrgShareLink | null>(null);
  const revoke = async () => {
    if (!selected) return;
    await revokeOrgShare(organization.id, selected.id);
    await invalidate(accountQueryKeys.shares(organization.id));
    showToast('Link revoked');
  };
  return (
    <Panel
      title="Share links"
      about="The share links of all workspaces. Of private workspaces, you see only who shares and until when."
    >
      <QueryResult query={query} what="share links">
        {({ shares }) =>
          shares.length === 0 ? (
            <EmptyList>No share links</EmptyList>
          ) : (
            <DataList label="Share links">
              {shares.toReversed().map((share) => (
                <Row key={share.id} share={share} onRevoke={() => setSelected(share)} />
              ))}
            </DataList>
          )
        }
      </QueryResult>
      <ConfirmDialog
        open={selected !== null}
        onClose={() => setSelected(null)}
        title="Revoke this share link?"
        confirm="Revoke link"
        onConfirm={revoke}
      >
        <p>The link and everything that embeds it stop working at once. This cannot be undone.</p>
      </ConfirmDialog>
    </Panel>
  );
}

function Row({ share, onRevoke }: { share: OrgShareLink; onRevoke: () => void }) {
  const { details, owner } = share;
  const state = SHARE_STATES[share.state];
  const name = details?.name ?? `Link of ${owner.displayName} in a private workspace`;
  return (
    <DataRow
      title={name}
      badges={
        <>
          <Badge tone={state.tone}>{state.name}</Badge>
          {details?.hasPassword && <Badge>Password</Badge>}
        </>
      }
      facts={[
        details && `In ${details.workspaceName}`,
        expiryFact(share),
        details && usesFact(details),
        `On behalf of ${owner.displayName}`,
        details && details.embedOrigins.length > 0 && `Embedded by ${details.embedOrigins.join(', ')}`,
      ]}
      actions={
        <Button kind="danger" aria-label={`Revoke ${name}`} onClick={onRevoke}>
          Revoke
        </Button>
      }
    />
  );
}
