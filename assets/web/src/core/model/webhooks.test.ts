import { expect, test } from 'vitest';
import { WebhookEvent } from '@/api/generated';
import { EVENT_GROUPS, eventName, isUnderWay, webhookProblems, webhookState } from './webhooks';

test('the form offers each event once', () => {
  const offered = EVENT_GROUPS.flatMap(({ events }) => events.map(({ id }) => id));
  expect(offered.toSorted()).toEqual(Object.values(WebhookEvent).toSorted());
});

test('every type in the log has a name', () => {
  for (const type of Object.values(WebhookEvent)) expect(eventName(type)).not.toBe(type);
  expect(eventName('ping')).toBe('Test');
  expect(eventName('view.published')).toBe('view.published');
});

test('a webhook is active, failing or disabled', () => {
  expect(webhookState({ enabled: true }).name).toBe('Active');
  expect(webhookState({ enabled: true, failingSince: 1 }).name).toBe('Failing');
  expect(webhookState({ enabled: false, failingSince: 1 }).name).toBe('Disabled');
});

test('a delivery that waits for hours is not under way', () => {
  const delivery = { id: 1, messageId: 'm', event: 'ping', workspaceId: null, createdAt: 0, tries: 0 };
  expect(isUnderWay({ ...delivery, state: 'pending', nextTryAt: 1_000 }, 1_000)).toBe(true);
  expect(isUnderWay({ ...delivery, state: 'pending', nextTryAt: 3_600_000 }, 1_000)).toBe(false);
  expect(isUnderWay({ ...delivery, state: 'delivered' }, 1_000)).toBe(false);
});

test('everything that is missing in the form is named', () => {
  const complete = {
    name: 'Portal',
    url: 'https://example.org',
    events: [WebhookEvent['member.left']],
    workspaces: null,
  };
  expect([...webhookProblems(complete).keys()]).toEqual([]);
  const empty = { name: ' ', url: '', events: [], workspaces: [] };
  expect([...webhookProblems(empty).keys()]).toEqual(['name', 'url', 'events', 'workspaceIds']);
});
