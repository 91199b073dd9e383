import { describe, expect, it } from 'vitest';
import { browserName } from './userAgent';

const MOZILLA = 'Mozilla/5.0';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0';

describe('a user agent', () => {
  it.each([
    [`${MOZILLA} (X11; Linux x86_64) ${CHROME} Safari/537.36`, 'Chrome on Linux'],
    [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/153.0`, 'Edge on Windows'],
    [`${MOZILLA} (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox on Windows'],
    [`${MOZILLA} (Linux; Android 15; Pixel 9) ${CHROME} Mobile Safari/537.36`, 'Chrome on Android'],
    [
      `${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1`,
      'Safari on iPhone',
    ],
    [
      `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15`,
      'Safari on macOS',
    ],
    ['curl/8.9.1', 'curl'],
    ['my-script', 'my-script'],
    ['', 'Unknown device'],
    [null, 'Unknown device'],
    ['x'.repeat(100), `${'x'.repeat(59)}…`],
  ])('%s', (userAgent, words) => {
    expect(browserName(userAgent)).toBe(words);
  });
});
