/** Answers that are made once for what they depend on. */

/** Remembers the last answer of a function for as long as what it was asked with stays the same. */
export function memoizeLast<A extends readonly unknown[], R>(make: (...args: A) => R): (...args: A) => R {
  let last: { args: A; result: R } | null = null;
  return (...args) => {
    if (!last || args.some((arg, at) => arg !== last?.args[at])) last = { args, result: make(...args) };
    return last.result;
  };
}
