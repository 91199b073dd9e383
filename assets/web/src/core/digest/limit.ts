/** Limits how many tasks run in parallel. */
export function limited(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const done = () => {
    running -= 1;
    waiting.shift()?.();
  };
  return async (run) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    return run().finally(done);
  };
}
