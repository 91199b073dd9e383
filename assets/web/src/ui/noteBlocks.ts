/** The parsed text of notes. The parser is loaded when the first note is shown; until then, the text is shown as typed. */
import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import { type Block, plainBlocks } from '@/core/notes/markdown';

type Parse = (text: string) => Block[];

const useParser = create<{ parse: Parse | null; parseDocument: Parse | null }>()(() => ({
  parse: null,
  parseDocument: null,
}));

let loading: Promise<void> | undefined;

export function loadNoteParser(): Promise<void> {
  loading ??= import('@/core/notes/parseMarkdown').then(({ parseMarkdown, parseDocument }) => {
    useParser.setState({ parse: parseMarkdown, parseDocument });
  });
  return loading;
}

const MAX_CACHED = 500;
const cache = new Map<string, Block[]>();

export function noteBlocks(text: string): Block[] {
  const { parse } = useParser.getState();
  if (!parse) {
    // Without the parser, for example because the connection was lost, the text stays as typed.
    void loadNoteParser().catch(() => {
      loading = undefined;
    });
    return plainBlocks(text);
  }
  const known = cache.get(text);
  if (known) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const blocks = parse(text);
  cache.set(text, blocks);
  return blocks;
}

export function useNoteBlocks(text: string): Block[] {
  useParser((parser) => parser.parse);
  return noteBlocks(text);
}

/** The blocks of a document. Not cached, because documents are long and one is shown at a time. */
export function useDocumentBlocks(text: string): Block[] {
  const parse = useParser((parser) => parser.parseDocument);
  useEffect(() => {
    if (!parse) void loadNoteParser().catch(() => {});
  }, [parse]);
  return useMemo(() => (parse ?? plainBlocks)(text), [parse, text]);
}
