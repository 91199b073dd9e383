// @vitest-environment jsdom
/** Compares our use of Mermaid with the expected results used to test the server's parser. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import mermaid from 'mermaid';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MermaidDatabase, parseDatabase } from './parsedText';
import { processTextProblem } from './source';
import { toMermaidError } from './syntaxErrors';

const EXAMPLES = join(import.meta.dirname, '../../../../../tests/mermaid/examples');
const names = readdirSync(EXAMPLES)
  .filter((name) => name.endsWith('.mmd'))
  .map((name) => name.slice(0, -4));

interface Expectation {
  refused?: string;
  participants: { alias: string; name: string; figure: string }[];
  steps: { source: string; target: string; text: string; block: number | null }[];
  blocks: { kind: string; label: string; parent: number | null }[];
}

function decode(entity: string): string {
  const area = document.createElement('textarea');
  area.innerHTML = entity;
  return area.value;
}

beforeAll(() => {
  window.CSS = { supports: () => false } as unknown as typeof CSS;
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', logLevel: 'fatal' });
});

describe('examples', () => {
  it('exist', () => expect(names.length).toBeGreaterThan(50));

  it.each(names)('%s', async (name) => {
    const text = readFileSync(join(EXAMPLES, `${name}.mmd`), 'utf8');
    const expected = JSON.parse(readFileSync(join(EXAMPLES, `${name}.json`), 'utf8')) as Expectation;
    if (expected.refused !== undefined) {
      await refusedAsExpected(text);
      return;
    }
    expect(processTextProblem(text)).toBe('');
    const diagram = await mermaid.mermaidAPI.getDiagramFromText(text);
    const { participants, steps, blocks } = parseDatabase(diagram.db as unknown as MermaidDatabase, decode);
    expect(participants).toEqual(
      expected.participants.map(({ alias, name, figure }) => ({ alias, name, figure })),
    );
    expect(steps.map(({ source, target, text }) => ({ source, target, text }))).toEqual(
      expected.steps.map(({ source, target, text }) => ({ source, target, text })),
    );
    expect(steps.map(({ block }) => block ?? null)).toEqual(expected.steps.map(({ block }) => block));
    expect(blocks.map((block) => ({ parent: null, ...block }))).toEqual(expected.blocks);
  });
});

async function refusedAsExpected(text: string): Promise<void> {
  if (processTextProblem(text)) return;
  const error = await mermaid.mermaidAPI.getDiagramFromText(text).then(
    () => null,
    (problem: unknown) => problem,
  );
  expect(error).not.toBeNull();
  const parseError = toMermaidError(error, text);
  // In invalid examples, the last line has the position of the error that the server reports.
  const [, line] = /%% refused: (\d+):/.exec(text) ?? [];
  expect(parseError.message).not.toMatch(/Parse error|Expecting/);
  // Errors that Mermaid detects after parsing have no position. The server reports it when the text is saved.
  if (line && / on line /.test(String(error))) expect(parseError.line).toBe(Number(line));
}
