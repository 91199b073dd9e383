/** Preprocesses the text of a process: finds the start of the diagram, and maps line numbers. */

import { MAX_PROCESS_BYTES } from '../limits';

const FRONT_MATTER = /^([^\S\n]*)---\s*\n(?:.*?\n)?\1---\s*\n/s;
const DIRECTIVE = /%%\{\s*\w+\s*:?(?:(?!\}%%)[\s\S])*(?:\}%%)?/g;
const COMMENT = /^\s*%%(?!\{)/;

/** The text as Mermaid's grammar sees it: without front matter, directives, comments and leading blank lines. */
export interface GrammarText {
  text: string;
  /** The original line number of each line, starting at 1. */
  lines: number[];
}

export function grammarText(text: string): GrammarText {
  let rest = text.replace(/\r\n?/g, '\n');
  let first = 1;
  const front = FRONT_MATTER.exec(rest);
  if (front) {
    first += front[0].split('\n').length - 1;
    rest = rest.slice(front[0].length);
  }
  const numbers: number[] = [];
  const lines: string[] = [];
  // A directive can span several lines. Remove its line breaks too, so that the text after it keeps the line number
  // where the directive starts.
  const masked = rest.replace(DIRECTIVE, (directive) => '\u0000'.repeat(directive.split('\n').length - 1));
  let line = first;
  for (const content of masked.split('\n')) {
    const removedLines = content.split('\u0000').length - 1;
    const clean = content.replaceAll('\u0000', '');
    const isLeading = lines.length === 0 && clean.trim() === '';
    if (!COMMENT.test(clean) && !isLeading) {
      lines.push(clean);
      numbers.push(line + removedLines);
    }
    line += 1 + removedLines;
  }
  return { text: lines.join('\n'), lines: numbers };
}

/** The error that the server would report for a text; empty if there is none. */
export function processTextProblem(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_PROCESS_BYTES) {
    return `The text has ${Math.ceil(bytes / 1024)} KiB, the maximum is ${MAX_PROCESS_BYTES / 1024} KiB.`;
  }
  if (!/^\s*sequenceDiagram/.test(grammarText(text).text)) {
    return 'The text must start with “sequenceDiagram” on its own line. It is not saved until it does.';
  }
  return '';
}
