/** Invalidation of queries. */
import { QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { RefetchingClient } from './refetchingClient';

it('a query that is invalidated during its first fetch is fetched again', async () => {
  const client = new RefetchingClient();
  const responses: ((tokens: string[]) => void)[] = [];
  const queryFn = () => new Promise<string[]>((resolve) => responses.push(resolve));
  const observer = new QueryObserver(client, { queryKey: ['tokens'], queryFn });
  const unsubscribe = observer.subscribe(() => {});
  const invalidated = client.invalidateQueries({ queryKey: ['tokens'] });
  await expect.poll(() => responses.length).toBe(2);
  responses[1]?.(['new']);
  responses[0]?.([]);
  await invalidated;
  expect(observer.getCurrentResult().data).toEqual(['new']);
  unsubscribe();
});
