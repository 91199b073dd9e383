/** Returns a function that runs at most `limit` tasks at a time, in the order in which they were added. */
export function limitConcurrency(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < limit) running++;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await work();
    } finally {
      // The next task takes the slot directly, so that no other task can take it first.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
