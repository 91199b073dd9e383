/** Parses the text of notes. A separate module, because the parser is loaded only for maps with notes. */
import { Lexer } from 'marked';
import { type Block, plainBlocks, toBlocks } from './markdown';

export function parseMarkdown(text: string): Block[] {
  try {
    return toBlocks(new Lexer({ gfm: true, breaks: true }).lex(text));
  } catch {
    // Extremely deep nesting exceeds the stack.
    return plainBlocks(text);
  }
}
