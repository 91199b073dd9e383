/** Test data for exports. */

/** A seeded pseudorandom number generator. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Names that break careless output. */
export const NASTY_NAMES = [
  '',
  '<script>alert(1)</script>',
  ']]>&amp;&lt;',
  '"quoted" \'text\'',
  '=1+1',
  '@SUM(A1)',
  '-2+3',
  '\u0000\u0007\ud800',
  'a,b;c\td\ne\r\nf',
  '漢字 かな 🗺️',
  '\u202eright to left',
  'end',
  '#quot;',
  'x'.repeat(10_000),
  '}|{[(%%',
];
