/** Reads a file that somebody wants to import, and says in words what is wrong with one that cannot be. */

import type { Catalogue, Document } from '@/api/generated';
import { parseCsv } from '@/core/table/csv';
import { planSheetImport } from '@/core/table/importSheet';
import { truncate } from '@/core/text';
import { jsonErrorPosition } from './jsonErrors';

export interface ImportFile {
  document: Document;
  /** What kind of file it is, for people. */
  kind: string;
  /** What the file calls the map. */
  name: string;
  id: string;
  /** What was left out, in words. */
  left: string[];
}

/** Throws `UnreadableFileError`, whose message says where it is wrong. */
export function parseImportFile(fileName: string, text: string, catalogue: Catalogue): ImportFile {
  const clean = text.replace(/^\uFEFF/, '');
  if (clean.trim() === '') throw new UnreadableFileError('The file is empty.');
  if (/\.(csv|tsv)$/i.test(fileName)) return fromCsv(fileName, clean, catalogue);
  return fromJson(fileName, clean);
}

class UnreadableFileError extends Error {}

function fromJson(fileName: string, text: string): ImportFile {
  const value = parsed(text);
  if (!isRecord(value)) {
    throw new UnreadableFileError(
      'The file is valid JSON but not a map. Expected an object with “components” and “relationships”.',
    );
  }
  for (const part of ['components', 'relationships'] as const) {
    if (!Array.isArray(value[part])) {
      throw new UnreadableFileError(`The file has no “${part}” array, so it is not a Planroom export.`);
    }
  }
  const document = value as unknown as Document;
  const own = isRecord(value.workspace) ? value.workspace : {};
  const format = value.format ? `Planroom file (${truncate(String(value.format), 30)})` : '';
  return {
    document,
    kind: format || ('ownerUserId' in own ? 'Workspace bundle' : 'Components and relationships'),
    name: typeof own.name === 'string' ? own.name : baseName(fileName),
    id: typeof own.id === 'string' ? own.id : '',
    left: [],
  };
}

function fromCsv(fileName: string, text: string, catalogue: Catalogue): ImportFile {
  const { created, problems, ignored } = planSheetImport(parseCsv(text), { component: new Map() }, catalogue);
  if (created.length === 0) {
    throw new UnreadableFileError(
      problems[0] ??
        'The table is empty. The first row contains the column names, every other row a component.',
    );
  }
  const components = created.map(({ id, fields }, at) => ({
    id,
    x: (at % ACROSS) * 220,
    y: Math.floor(at / ACROSS) * 110,
    ...fields,
  }));
  const left = [...problems, ...ignored.map((column) => `Column “${column}” is ignored.`)];
  return {
    document: { components, relationships: [] } as unknown as Document,
    kind: 'Table of components',
    name: baseName(fileName),
    id: '',
    left,
  };
}

const ACROSS = 10;

/** JSON, or where it stops being that. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const line = lineAt(text, jsonErrorPosition(text));
    throw new UnreadableFileError(
      `The file is not valid JSON: error in line ${line}. A Planroom export starts with “{”.`,
    );
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function baseName(fileName: string): string {
  return fileName.replace(/(\.planroom|\.bulk)?\.(json|csv|tsv)$/i, '').slice(0, 200) || 'Imported map';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
