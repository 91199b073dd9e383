import { expect, test } from 'vitest';
import { parseDocument, parseMarkdown } from './parseMarkdown';

const text = (lines: readonly (readonly { text: string }[])[] = []) =>
  lines.map((line) => line.map((run) => run.text).join(''));

test('the lines of a paragraph of a document flow into each other, except after two spaces', () => {
  const [first, second] = parseDocument('One\n**two\nthree**\n\n- four\n  five  \n  six\n');
  expect(text(first?.lines)).toEqual(['One two three']);
  expect(text(second?.lines)).toEqual(['four five', 'six']);
  expect(text(parseMarkdown('One\ntwo')[0]?.lines)).toEqual(['One', 'two']);
});

test('a document has tables, a note shows them as they were typed', () => {
  const table = '| A | B |\n|---|---|\n| **1** | <b>2</b> |\n';
  const [block] = parseDocument(table);
  expect(block?.kind).toBe('table');
  expect(block?.cells?.map((row) => text(row))).toEqual([
    ['A', 'B'],
    ['1', '<b>2</b>'],
  ]);
  expect(block?.cells?.[1]?.[0]?.[0]?.bold).toBe(true);
  expect(parseMarkdown(table)[0]?.kind).toBe('paragraph');
});

test('code and HTML of a document stay as they were typed', () => {
  const [code, html] = parseDocument('```\na\n  b\n```\n\n<script>\nalert(1)\n</script>\n');
  expect(text(code?.lines)).toEqual(['a', '  b']);
  expect(html?.kind).toBe('paragraph');
  expect(text(html?.lines)).toEqual(['<script>', 'alert(1)', '</script>']);
});

test('extreme nesting of a document is shown as it was typed', () => {
  expect(parseDocument(`${'> '.repeat(20_000)}x`).length).toBeGreaterThan(0);
});
