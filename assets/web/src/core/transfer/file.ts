/** Parses a file to import, with messages for the user if it is invalid. */

import type { Catalogue, Document as WorkspaceDocument } from '@/api/generated';
import { CONTAINS } from '@/core/containment/containment';
import type { CustomType } from '@/core/model/customTypes';
import { parseCsv } from '@/core/table/csv';
import { planSheetImport } from '@/core/table/importSheet';
import { truncate } from '@/core/text';
import { jsonErrorPosition } from './jsonErrors';

export interface ImportFile {
  document: WorkspaceDocument;
  /** The kind of file, as text for the user. */
  kind: string;
  /** The name of the map in the file. */
  name: string;
  id: string;
  /** The parts that the import omits, as text for the user. */
  left: string[];
}

/**
 * Throws `UnreadableFileError` with the position of the error. `types` are the kinds of the organization, whose fields are
 * checked in tables.
 */
export function parseImportFile(
  fileName: string,
  text: string,
  catalogue: Catalogue,
  types: readonly CustomType[] = [],
): ImportFile {
  const clean = text.replace(/^\uFEFF/, '');
  if (clean.trim() === '') throw new UnreadableFileError('The file is empty.');
  if (/\.(csv|tsv)$/i.test(fileName)) return fromCsv(fileName, clean, catalogue, types);
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
  const document = value as unknown as WorkspaceDocument;
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

function fromCsv(
  fileName: string,
  text: string,
  catalogue: Catalogue,
  types: readonly CustomType[],
): ImportFile {
  const { created, problems, ignored } = planSheetImport(
    parseCsv(text),
    { component: new Map(), relationship: new Map(), stakeholder: new Map() },
    catalogue,
    null,
    types,
  );
  if (created.length === 0) {
    throw new UnreadableFileError(
      problems[0] ??
        'The table is empty. The first row contains the column names, every other row a component.',
    );
  }
  // The server places components without a position.
  const components = created.map(({ id, fields }) => ({ id, ...fields }));
  const relationships = created.flatMap(({ id, parent }) =>
    parent ? [{ sourceId: parent, targetId: id, typeId: CONTAINS }] : [],
  );
  const left = [...problems, ...ignored.map((column) => `Column “${column}” is ignored.`)];
  return {
    document: { components, relationships } as unknown as WorkspaceDocument,
    kind: 'Table of components',
    name: baseName(fileName),
    id: '',
    left,
  };
}

/** Parses JSON; throws with the position of the error. */
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
