/** Parses the text of notes. A separate module, because the parser is loaded only for maps with notes. */
import { Lexer, type Token } from 'marked';
import { type Block, plainBlocks, toBlocks } from './markdown';

export function parseMarkdown(text: string): Block[] {
  try {
    return toBlocks(new Lexer({ gfm: true, breaks: true }).lex(text));
  } catch {
    // Extremely deep nesting exceeds the stack.
    return plainBlocks(text);
  }
}

/** Parses a document, such as a decision: with tables, and lines of a paragraph that flow into each other. */
export function parseDocument(text: string): Block[] {
  try {
    const tokens = new Lexer({ gfm: true }).lex(text);
    joinLines(tokens);
    return toBlocks(tokens, 0, true);
  } catch {
    return plainBlocks(text);
  }
}

/** Replaces line ends in running text by spaces. */
function joinLines(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if ('tokens' in token && token.tokens) joinLines(token.tokens);
    else if (token.type === 'text') token.text = token.text.replaceAll('\n', ' ');
    if (token.type === 'list') joinLines(token.items);
  }
}
