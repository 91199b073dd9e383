/**
 * The text of notes: a small subset of Markdown as data, which is never rendered as HTML. Everything outside of the
 * subset, such as HTML, is shown as it was typed. Tables are part of documents, not of notes.
 */
import type { Token, Tokens } from 'marked';

/** A piece of text in one style. */
export interface Run {
  text: string;
  bold?: boolean;
  italic?: boolean;
  code?: boolean;
  struck?: boolean;
  /** The target of a link; only web and email addresses. */
  href?: string;
}

export type Line = readonly Run[];

export interface Block {
  kind: 'heading' | 'paragraph' | 'item' | 'code' | 'rule' | 'table';
  /** The level of a heading, from 1 to 3. */
  level?: 1 | 2 | 3;
  /** The number of lists and quotes around it. */
  depth: number;
  /** The bullet, number or checkbox of a list item. */
  marker?: string;
  lines: readonly Line[];
  /** The cells of a table by row, the first of which is the header. */
  cells?: readonly (readonly Line[])[];
}

type Style = Omit<Run, 'text'>;

/** Deeper lists are drawn as if they had this depth, so that they stay readable. */
const MAX_DEPTH = 4;

/** Converts the tokens of `marked`. */
export function toBlocks(tokens: readonly Token[], depth = 0, hasTables = false): Block[] {
  const level = Math.min(depth, MAX_DEPTH);
  return tokens.flatMap((token): Block[] => {
    switch (token.type) {
      case 'space':
      case 'def':
        return [];
      case 'heading': {
        const size = Math.min(token.depth, 3) as 1 | 2 | 3;
        return [{ kind: 'heading', level: size, depth: level, lines: linesOf(token.tokens) }];
      }
      case 'hr':
        return [{ kind: 'rule', depth: level, lines: [] }];
      case 'code':
        return [{ kind: 'code', depth: level, lines: asTyped(token.text, { code: true }) }];
      case 'list':
        return listBlocks(token as Tokens.List, depth, hasTables);
      case 'blockquote':
        return toBlocks(token.tokens ?? [], depth + 1, hasTables);
      case 'paragraph':
      case 'text':
        return [{ kind: 'paragraph', depth: level, lines: linesOf(token.tokens ?? [token]) }];
      case 'table':
        if (hasTables) return [tableBlock(token as Tokens.Table, level)];
        return [{ kind: 'paragraph', depth: level, lines: asTyped(token.raw.trimEnd()) }];
      default:
        return [{ kind: 'paragraph', depth: level, lines: asTyped(token.raw.trimEnd()) }];
    }
  });
}

function tableBlock({ header, rows }: Tokens.Table, depth: number): Block {
  const cells = [header, ...rows].map((row) => row.map((cell) => linesOf(cell.tokens).flat()));
  return { kind: 'table', depth, lines: [], cells };
}

function listBlocks({ ordered, start, items }: Tokens.List, depth: number, hasTables: boolean): Block[] {
  return items.flatMap((item, at): Block[] => {
    const marker = item.task ? (item.checked ? '☑' : '☐') : ordered ? `${Number(start || 1) + at}.` : '•';
    const blocks = toBlocks(
      item.tokens.filter(({ type }) => type !== 'checkbox'),
      depth + 1,
      hasTables,
    );
    const [first, ...rest] = blocks;
    if (first?.kind !== 'paragraph')
      return [{ kind: 'item', marker, depth: Math.min(depth, MAX_DEPTH), lines: [[]] }, ...blocks];
    return [{ ...first, kind: 'item', marker, depth: Math.min(depth, MAX_DEPTH) }, ...rest];
  });
}

/** The lines of inline tokens. */
function linesOf(tokens: readonly Token[] = []): Line[] {
  const lines: Run[][] = [[]];
  addRuns(lines, tokens, {});
  return lines;
}

function addRuns(lines: Run[][], tokens: readonly Token[], style: Style): void {
  for (const token of tokens) {
    const parts = 'tokens' in token ? (token.tokens ?? []) : [];
    const inner = (added: Style) => addRuns(lines, parts, { ...style, ...added });
    switch (token.type) {
      case 'strong':
        inner({ bold: true });
        break;
      case 'em':
        inner({ italic: true });
        break;
      case 'del':
        inner({ struck: true });
        break;
      case 'link':
        inner(isSafeLink(token.href) ? { href: token.href } : {});
        break;
      case 'br':
        lines.push([]);
        break;
      case 'codespan':
        addText(lines, token.text, { ...style, code: true });
        break;
      case 'escape':
        addText(lines, token.text, style);
        break;
      case 'text':
        if (parts.length > 0) inner({});
        else addText(lines, token.text, style);
        break;
      default:
        addText(lines, token.raw, style);
    }
  }
}

function addText(lines: Run[][], text: string, style: Style): void {
  for (const [at, part] of text.split('\n').entries()) {
    if (at > 0) lines.push([]);
    if (part) lines.at(-1)?.push({ text: part, ...style });
  }
}

function asTyped(text: string, style: Style = {}): Line[] {
  return text.split('\n').map((line) => (line ? [{ text: line, ...style }] : []));
}

/** Whether a link opens a web or email address. Scripts and addresses within this server are not followed. */
export function isSafeLink(href: string): boolean {
  return /^(?:https?:\/\/|mailto:)\S+$/i.test(href);
}

/** The blocks of a text that is shown as it was typed. */
export function plainBlocks(text: string): Block[] {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim())
    .map((part) => ({ kind: 'paragraph', depth: 0, lines: asTyped(part) }));
}

/** The text for screen readers, one line per block. */
export function blocksText(blocks: readonly Block[]): string {
  return blocks
    .map(({ lines }) => lines.map((line) => line.map(({ text }) => text).join('')).join(' '))
    .filter((line) => line.trim())
    .join('\n');
}

/** The links in the text, in order, without repetitions. */
export function linksOf(blocks: readonly Block[]): { href: string; text: string }[] {
  const links = new Map<string, string>();
  for (const { lines } of blocks) {
    for (const { href, text } of lines.flat()) {
      if (href) links.set(href, (links.get(href) ?? '') + text);
    }
  }
  return [...links].map(([href, text]) => ({ href, text }));
}
