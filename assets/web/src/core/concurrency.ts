/** So many at a time, and no more: what comes later waits for its turn. */

/** Runs what it is given, at most `most` of them beside each other, in the order in which they came. */
export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < most) running++;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await work();
    } finally {
      // Whoever is next takes the place over, so that nobody comes between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
