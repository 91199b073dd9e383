/** Converts Mermaid's parse errors to messages that explain how to fix them. */
import { grammarText } from './source';

export interface MermaidError {
  /** Starting at 1. */
  line: number;
  /** In characters, starting at 1. */
  column: number;
  message: string;
}

/** Details that Mermaid's parser reports in addition to the message. */
interface ParserDetails {
  text?: string;
  token?: string | number;
  line?: number | string;
  loc?: { first_line: number; last_line: number; first_column: number; last_column: number };
  expected?: string[];
}

/** Converts an error thrown by Mermaid for `text`. */
export function toMermaidError(error: unknown, text: string): MermaidError {
  const { lines } = grammarText(text);
  const message = error instanceof Error ? error.message : String(error);
  const hash = (error as { hash?: ParserDetails } | null)?.hash;
  const inactive = /inactivate an inactive participant \((.*)\)/s.exec(message);
  if (inactive) return { ...lineOf(text, lines, inactive[1] ?? ''), message: deactivated(inactive[1] ?? '') };
  const lineMatch = /on line (\d+)/.exec(message);
  const read = lineMatch ? Number(lineMatch[1]) : lines.length;
  const line = lines[Math.min(read, lines.length) - 1] ?? 1;
  const source = text.split(/\r\n?|\n/)[line - 1] ?? '';
  if (hash && isEnd(hash) && hash.expected?.includes("'end'")) {
    const open = openBlock(text, lines);
    if (open) return { ...open, message: UNCLOSED };
  }
  if (!hash) return { line, column: 1, message: unrecognized(message, source) };
  return { line, column: columnOf(hash, source), message: describeProblem(hash, source) };
}

function deactivated(alias: string): string {
  return `“${alias}” is not active here. Activate it with “+” or “activate” before deactivating it with “-” or “deactivate”.`;
}

const UNCLOSED = 'This block is not closed. Add “end” on its own line after the last message of the block.';

function isEnd({ token = '' }: ParserDetails): boolean {
  return token === 'EOF' || token === 1 || token === '1';
}

/** The start of the innermost unclosed block. */
function openBlock(text: string, lines: readonly number[]): { line: number; column: number } | undefined {
  const source = text.split(/\r\n?|\n/);
  const open: { line: number; column: number }[] = [];
  for (const line of lines) {
    for (const statement of (source[line - 1] ?? '').split(';')) {
      if (/^\s*(loop|alt|opt|par|par_over|critical|break|rect|box)\b/i.test(statement)) {
        open.push({ line, column: statement.search(/\S/) + 1 });
      } else if (/^\s*end\s*$/i.test(statement)) open.pop();
    }
  }
  return open.at(-1);
}

/** The last line that may deactivate `alias`, since Mermaid does not report it. */
function lineOf(text: string, lines: readonly number[], alias: string): { line: number; column: number } {
  const source = text.split(/\r\n?|\n/);
  const ends = (line: string) =>
    (line.trim().startsWith('deactivate') && line.includes(alias)) ||
    (/-+(?:>>|>|\)|x)-/.test(line) && line.trim().startsWith(alias));
  const at = lines.findLast((line) => ends(source[line - 1] ?? '')) ?? lines[0] ?? 1;
  return { line: at, column: 1 };
}

function columnOf({ text = '', loc }: ParserDetails, source: string): number {
  const found = text.trim() ? source.lastIndexOf(text.trim()) : -1;
  if (found >= 0) return found + 1;
  return Math.min((loc?.last_column ?? 0) + 1, source.length + 1);
}

function describeProblem({ text = '', token = '', expected = [] }: ParserDetails, source: string): string {
  const tokenText = String(token);
  const may = (name: string) => expected.includes(`'${name}'`);
  if (isEnd({ token })) return 'The text ends with an incomplete statement.';
  if (['else', 'and', 'option'].includes(tokenText)) return misplaced(tokenText);
  if (tokenText === 'end') return 'There is no open block for this “end”.';
  if (tokenText === 'NEWLINE') return unexpectedEnd(expected, source);
  if (may('TXT')) return 'Missing “:” and a message: Sender->>Receiver: message';
  const word = text.trim();
  if (ARROWS_EXPECTED.some(may)) {
    return `“${source.trim()}” is incomplete. Add an arrow such as ->> after the sender.`;
  }
  return word ? `Unexpected “${word}”.` : `“${source.trim()}” is not valid.`;
}

const ARROWS_EXPECTED = ['SOLID_ARROW', 'DOTTED_ARROW', 'SOLID_OPEN_ARROW'];

function misplaced(word: string): string {
  const home = { else: 'alt', and: 'par', option: 'critical' }[word];
  return `“${word}” is only allowed inside a block that starts with “${home}”.`;
}

function unexpectedEnd(expected: readonly string[], source: string): string {
  if (expected.includes("'TXT'")) {
    return 'Missing “:” and a message: Sender->>Receiver: message';
  }
  if (ARROWS_EXPECTED.some((arrow) => expected.includes(`'${arrow}'`))) {
    return `“${source.trim()}” is incomplete. Add an arrow such as ->> and a receiver after the sender.`;
  }
  if (expected.some((token) => token.includes('ACTOR'))) {
    return `“${source.trim()}” is incomplete. Add the name of a participant.`;
  }
  return `“${source.trim()}” is incomplete.`;
}

function unrecognized(message: string, source: string): string {
  if (message.startsWith('Lexical error')) {
    return `“${source.trim()}” contains an unexpected character.`;
  }
  return message.split('\n')[0] ?? message;
}
