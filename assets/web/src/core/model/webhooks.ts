/** Webhooks: names of their events, formats and states. */
import type {
  DeliveryState,
  DisabledReason,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookFormat,
} from '@/api/generated';

/** Events by topic, in the order of the form. */
export const EVENT_GROUPS: readonly {
  name: string;
  events: readonly { id: WebhookEvent; name: string }[];
}[] = [
  { name: 'Workspace events', events: [{ id: 'workspace.changed', name: 'Changes of workspaces' }] },
  {
    name: 'Comment events',
    events: [
      { id: 'comment.created', name: 'New comments' },
      { id: 'comment.updated', name: 'Edited comments' },
      { id: 'comment.deleted', name: 'Deleted comments' },
      { id: 'comment.resolved', name: 'Resolved threads' },
      { id: 'comment.reopened', name: 'Reopened threads' },
    ],
  },
  {
    name: 'Draft events',
    events: [
      { id: 'draft.submitted', name: 'Submitted drafts' },
      { id: 'draft.approved', name: 'Approvals' },
      { id: 'draft.changes-requested', name: 'Requests for changes' },
      { id: 'draft.merged', name: 'Merged drafts' },
      { id: 'draft.closed', name: 'Closed drafts' },
    ],
  },
  {
    name: 'Member events',
    events: [
      { id: 'member.joined', name: 'New members' },
      { id: 'member.updated', name: 'Changed roles' },
      { id: 'member.left', name: 'Removed members' },
    ],
  },
];

export const FORMATS: readonly { id: WebhookFormat; name: string }[] = [
  { id: 'standard', name: 'JSON (Standard Webhooks)' },
  { id: 'slack', name: 'Slack message' },
  { id: 'teams', name: 'Microsoft Teams message' },
];

/** The name of an event type in the log. */
export function eventName(type: string): string {
  if (type === 'ping') return 'Test';
  const events = EVENT_GROUPS.flatMap((group) => group.events);
  return events.find(({ id }) => id === type)?.name ?? type;
}

interface State {
  name: string;
  tone: 'plain' | 'good' | 'warn' | 'alarm';
}

export const DELIVERY_STATES: Record<DeliveryState, State> = {
  pending: { name: 'Pending', tone: 'plain' },
  delivered: { name: 'Delivered', tone: 'good' },
  failed: { name: 'Failed', tone: 'alarm' },
  skipped: { name: 'Not sent', tone: 'plain' },
};

const DISABLED_BECAUSE: Record<DisabledReason, string> = {
  failing: 'Disabled because all deliveries failed for a week',
  gone: 'Disabled because the receiver no longer exists (status 410)',
  keys: 'Disabled because its URL and secret were lost with the keys of the server',
};

/** Whether a webhook sends events, and whether its receiver accepts them. */
export function webhookState({ enabled, failingSince }: Pick<Webhook, 'enabled' | 'failingSince'>): State {
  if (!enabled) return { name: 'Disabled', tone: 'warn' };
  return failingSince === undefined ? { name: 'Active', tone: 'good' } : { name: 'Failing', tone: 'alarm' };
}

/** Why the server has disabled a webhook. */
export function disabledText({ disabledReason }: Pick<Webhook, 'disabledReason'>): string | undefined {
  return disabledReason && DISABLED_BECAUSE[disabledReason];
}

/** Whether a delivery is about to be tried, so that the list is worth reading again soon. */
export function isUnderWay({ state, nextTryAt = 0 }: WebhookDelivery, now: number): boolean {
  const SOON = 10_000;
  return state === 'pending' && nextTryAt < now + SOON;
}

interface Draft {
  name: string;
  url: string;
  events: readonly WebhookEvent[];
  /** Ids of the selected workspaces; null for all. */
  workspaces: readonly string[] | null;
}

/** What is missing in the form of a webhook, by field. */
export function webhookProblems({ name, url, events, workspaces }: Draft): Map<string, string> {
  const problems = new Map<string, string>();
  if (name.trim() === '') problems.set('name', 'Enter a name.');
  if (url.trim() === '') problems.set('url', 'Enter a URL.');
  if (events.length === 0) problems.set('events', 'Select at least one event.');
  if (workspaces?.length === 0) problems.set('workspaceIds', 'Select at least one workspace.');
  return problems;
}
