/** Creates or edits a webhook. */
import { useState } from 'react';
import {
  createWebhook,
  updateWebhook,
  type Webhook,
  type WebhookEvent,
  type WebhookFormat,
  type WebhookSecret,
} from '@/api/generated';
import { EVENT_GROUPS, FORMATS, webhookProblems } from '@/core/model/webhooks';
import { accountQueryKeys, invalidate } from '@/data/accountQueries';
import { useWorkspaces } from '@/data/queries';
import { Alert } from '@/ui/Alert';
import { CheckField, FieldGroup, SelectField, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { InvalidInput } from '@/ui/formErrors';
import { showToast } from '@/ui/Toasts';
import { useSubmit } from '@/ui/useSubmit';
import type { OrganizationProps } from './organizationProps';

interface Props extends OrganizationProps {
  webhook: Webhook | undefined;
  onCreated: (created: WebhookSecret) => void;
  onClose: () => void;
}

const INPUTS = ['name', 'url', 'format', 'events', 'workspaceIds'];

const URL_HINTS: Record<WebhookFormat, string> = {
  standard: 'An https address that receives the events.',
  slack: 'The URL of an incoming webhook of Slack. It is a secret and not shown again.',
  teams: 'The URL of a workflow of Teams that posts to a channel. It is a secret and not shown again.',
};

export function WebhookDialog({ organization, webhook, onCreated, onClose }: Props) {
  const [name, setName] = useState(webhook?.name ?? '');
  const [format, setFormat] = useState<WebhookFormat>(webhook?.format ?? 'standard');
  // The URL of Slack and Teams is not shown; an empty field keeps it.
  const isHidden = webhook !== undefined && webhook.format !== 'standard';
  const [url, setUrl] = useState(isHidden ? '' : (webhook?.url ?? ''));
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? ['workspace.changed']);
  const [workspaces, setWorkspaces] = useState<readonly string[] | null>(webhook?.workspaceIds ?? null);
  const { busy, problem, submit } = useSubmit(INPUTS, async () => {
    const keepsUrl = isHidden && url.trim() === '' && format === webhook.format;
    const problems = webhookProblems({ name, url: keepsUrl ? webhook.url : url, events, workspaces });
    if (problems.size > 0) throw new InvalidInput(problems);
    const body = {
      name,
      format,
      events: [...events],
      workspaceIds: workspaces && [...workspaces],
      ...(keepsUrl || url === webhook?.url ? {} : { url: url.trim() }),
    };
    if (webhook) await updateWebhook(organization.id, webhook.id, body);
    const created = webhook ? undefined : await createWebhook(organization.id, { ...body, url: url.trim() });
    await invalidate(accountQueryKeys.webhooks(organization.id));
    if (created) return onCreated(created);
    showToast('Webhook saved');
    onClose();
  });
  return (
    <FormDialog
      title={webhook ? 'Edit webhook' : 'New webhook'}
      submitLabel={webhook ? 'Save webhook' : 'Create webhook'}
      onSubmit={() => void submit()}
      onClose={onClose}
      busy={busy}
      wide
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        value={name}
        problem={problem('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="Format"
        name="format"
        value={format}
        problem={problem('format')}
        onChange={(event) => setFormat(event.target.value as WebhookFormat)}
      >
        {FORMATS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="URL"
        name="url"
        type="url"
        autoComplete="off"
        placeholder={isHidden && format === webhook.format ? webhook.url : 'https://'}
        hint={
          isHidden && format === webhook.format
            ? `Empty: the current URL at ${new URL(webhook.url).host}.`
            : URL_HINTS[format]
        }
        value={url}
        problem={problem('url')}
        onChange={(event) => setUrl(event.target.value)}
      />
      {EVENT_GROUPS.map((group) => (
        <FieldGroup key={group.name} label={group.name}>
          {group.events.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={events.includes(id)}
              onChange={({ target }) => setEvents(withEntry(events, id, target.checked))}
            />
          ))}
        </FieldGroup>
      ))}
      <SelectField
        label="Workspaces"
        hint="Private workspaces are never reported."
        value={workspaces === null ? 'all' : 'selected'}
        onChange={(event) => setWorkspaces(event.target.value === 'all' ? null : [])}
      >
        <option value="all">All workspaces</option>
        <option value="selected">Selected workspaces</option>
      </SelectField>
      {workspaces !== null && <WorkspaceChoice selected={workspaces} onChange={setWorkspaces} />}
      <Alert text={problem('events') ?? problem('workspaceIds') ?? problem()} />
    </FormDialog>
  );
}

interface ChoiceProps {
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
}

function WorkspaceChoice({ selected, onChange }: ChoiceProps) {
  const all = useWorkspaces().data?.workspaces ?? [];
  return (
    <FieldGroup label="Selected workspaces">
      {all
        .filter(({ visibility }) => visibility !== 'private')
        .map(({ id, name }) => (
          <CheckField
            key={id}
            label={name}
            checked={selected.includes(id)}
            onChange={({ target }) => onChange(withEntry(selected, id, target.checked))}
          />
        ))}
    </FieldGroup>
  );
}

/** The list with or without an entry. */
function withEntry<T>(list: readonly T[], entry: T, isListed: boolean): readonly T[] {
  const others = list.filter((other) => other !== entry);
  return isListed ? [...others, entry] : others;
}
