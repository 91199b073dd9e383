/**
 * Prints the errors of failed attempts at the end, because CI keeps only the last lines of the output: first stories that
 * failed, then those that passed in a later attempt. The latter are also written to `retried.txt` in the output
 * directory, because CI runs other checks afterwards.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** The lines of an error that are printed: the message, what was expected and received, and the place. */
const LINES = 8;

export default class Failures implements Reporter {
  /** The errors of the failed attempts of each story. */
  readonly #attempts = new Map<TestCase, string[]>();

  #outputDir = '';

  onBegin(config: FullConfig): void {
    this.#outputDir = config.projects[0]?.outputDir ?? '';
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus) return;
    const { line, file } = result.error?.location ?? test.location;
    const message = stripVTControlCharacters(result.error?.message ?? result.status);
    const lines = message.split('\n').filter((text) => text.trim() !== '');
    const text = [
      `attempt ${result.retry + 1}, ${file.split('/').at(-1)}:${line}:`,
      ...lines.slice(0, LINES).map((text) => `  ${text}`),
    ];
    this.#attempts.set(test, [...(this.#attempts.get(test) ?? []), ...text]);
  }

  onEnd(): void {
    const isRetried = (test: TestCase) => test.outcome() === 'flaky';
    const tests = [...this.#attempts.keys()];
    const failed = tests.filter((test) => !isRetried(test));
    const retried = this.#list('PASSED ONLY WHEN REPEATED, so by chance', tests.filter(isRetried));
    // biome-ignore lint/suspicious/noConsole: the output of the reporter
    console.log(this.#list('FAILED', failed) + retried);
    mkdirSync(this.#outputDir, { recursive: true });
    writeFileSync(join(this.#outputDir, 'retried.txt'), retried);
  }

  #list(heading: string, tests: TestCase[]): string {
    const texts = tests.flatMap((test) => [
      `  ${test.location.file.split('/').at(-1)}:${test.location.line} › ${test.title}`,
      ...(this.#attempts.get(test) ?? []).map((text) => `      ${text}`),
    ]);
    return tests.length > 0 ? `\n${heading} (${tests.length})\n${texts.join('\n')}\n` : '';
  }
}
