import { expect, test } from 'vitest';
import { limitConcurrency } from './concurrency';

test('tasks run in order, at most the given number at a time, even after a failure', async () => {
  const run = limitConcurrency(2);
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) =>
    run(async () => {
      log.push(name);
      await new Promise<void>((end) => ends.push(end));
      if (name === 'a') throw new Error(name);
      return name;
    });
  const all = Promise.allSettled(['a', 'b', 'c', 'd'].map(work));
  await Promise.resolve();
  expect(log).toEqual(['a', 'b']);
  for (const seen of [
    ['a', 'b', 'c'],
    ['a', 'b', 'c', 'd'],
  ]) {
    ends.shift()?.();
    await new Promise((turn) => setTimeout(turn));
    expect(log).toEqual(seen);
  }
  for (const end of ends) end();
  expect((await all).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(await run(async () => 'later')).toBe('later');
});
