/** Prints the errors of failed attempts at the end, because CI keeps only the last lines of the output. */
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** The lines of an error that are printed: the message, what was expected and received, and the place. */
const LINES = 8;

export default class Failures implements Reporter {
  readonly #texts: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus) return;
    const { line, file } = result.error?.location ?? test.location;
    const message = stripVTControlCharacters(result.error?.message ?? result.status);
    const lines = message.split('\n').filter((text) => text.trim() !== '');
    this.#texts.push(
      [
        `${test.title} (attempt ${result.retry + 1}, ${file.split('/').at(-1)}:${line}):`,
        ...lines.slice(0, LINES),
      ].join('\n    '),
    );
  }

  onEnd(): void {
    // biome-ignore lint/suspicious/noConsole: the output of the reporter
    for (const text of this.#texts) console.log(`  ${text}`);
  }
}
