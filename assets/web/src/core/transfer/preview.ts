/** The preview of an import, listed by name. */
import type {
  Bundle,
  ImportedRows,
  ImportResult,
  NewNote,
  Note,
  Document as WorkspaceDocument,
} from '@/api/generated';
import { noteTitle } from '@/core/noteLabel';

/** One kind of rows, with the names of the affected rows. */
export interface SummarySection {
  kind: string;
  names: string[];
}

export interface ImportSummary {
  created: SummarySection[];
  updated: SummarySection[];
  deleted: SummarySection[];
  /** The parts that the import omits, as text. */
  warnings: string[];
  /** Whether anything would be written. */
  isNothing: boolean;
}

const KINDS: readonly { part: keyof ImportedRows; one: string; many: string }[] = [
  { part: 'components', one: 'component', many: 'components' },
  { part: 'relationships', one: 'relationship', many: 'relationships' },
  { part: 'processes', one: 'process', many: 'processes' },
  { part: 'stakeholders', one: 'stakeholder', many: 'stakeholders' },
  { part: 'notes', one: 'note', many: 'notes' },
  { part: 'links', one: 'link', many: 'links' },
  { part: 'people', one: 'person', many: 'people' },
  { part: 'teams', one: 'team', many: 'teams' },
  { part: 'roles', one: 'role', many: 'roles' },
  { part: 'kinds', one: 'kind', many: 'kinds' },
  { part: 'workspaces', one: 'workspace (name, description and properties)', many: 'workspaces' },
];

/** Prefix of ignored kinds; their IDs follow. */
const KIND = 'kinds.';

type NameLookup = (part: keyof ImportedRows, id: string) => string;

/** `current` is the workspace that would be replaced. */
export function summarizeImport(
  answer: ImportResult,
  document: WorkspaceDocument,
  current: Bundle | undefined,
): ImportSummary {
  const names = namesOf(document, current);
  const toSections = (parts: ImportedRows) =>
    KINDS.flatMap(({ part, one, many }) => {
      const ids = parts[part];
      if (ids.length === 0) return [];
      return [
        {
          kind: `${ids.length.toLocaleString('en')} ${ids.length === 1 ? one : many}`,
          names: ids.map((id) => names(part, id)),
        },
      ];
    });
  const [created, updated, deleted] = [
    toSections({ ...answer.created, workspaces: [] }),
    toSections(answer.updated),
    toSections(answer.deleted),
  ];
  return {
    created,
    updated,
    deleted,
    warnings: [
      ...keptWarnings(answer.kept, names),
      ...(answer.ignored ?? []).map((part) => ignoredWords(part, names)),
    ],
    isNothing: !answer.isNew && created.length + updated.length + deleted.length === 0,
  };
}

function keptWarnings(kept: ImportedRows, names: NameLookup): string[] {
  return KINDS.flatMap(({ part, one, many }) => {
    const ids = kept[part];
    if (ids.length === 0) return [];
    const list = ids
      .slice(0, 5)
      .map((id) => `“${names(part, id)}”`)
      .join(', ');
    const more = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
    const what = ids.length === 1 ? `The ${one} ${list} differs` : `The ${many} ${list}${more} differ`;
    return [`${what} from the file and will not be changed.`];
  });
}

function ignoredWords(part: string, names: NameLookup): string {
  if (part.startsWith(KIND)) {
    const name = names('kinds', part.slice(KIND.length));
    return `The kind “${name}” will not be created, because only administrators can create kinds. Its components are shown with their built-in type.`;
  }
  if (part === 'workspace.visibility') return 'The visibility of the workspace will not be changed.';
  return `“${part}” in the file is ignored.`;
}

/** Looks up the name of a row, in the file or in the workspace. */
function namesOf(document: WorkspaceDocument, current: Bundle | undefined): NameLookup {
  const components = byId(current?.components, document.components);
  const relationships = new Map(
    [...(current?.relationships ?? []), ...document.relationships].flatMap((relationship) =>
      relationship.id ? [[relationship.id, relationship] as const] : [],
    ),
  );
  const known: Partial<Record<keyof ImportedRows, Map<string, string>>> = {
    components,
    stakeholders: components,
    links: components,
    processes: byId(current?.processes, document.processes),
    notes: byId(titled(current?.notes), titled(document.notes)),
    people: byId(document.people),
    teams: byId(document.teams),
    roles: byId(document.roles),
    kinds: byId(document.kinds),
    workspaces: new Map(current ? [[current.workspace.id, current.workspace.name]] : []),
  };
  return (part, id) => {
    if (part !== 'relationships') return known[part]?.get(id) ?? id;
    const relationship = relationships.get(id);
    if (!relationship) return id;
    const end = (componentId: string) => components.get(componentId) ?? componentId;
    return `${end(relationship.sourceId)} ${relationship.typeId} ${end(relationship.targetId)}`;
  };
}

/** Notes have no names; they are named by the beginning of their text. */
function titled(notes: readonly NewNote[] | readonly Note[] | null | undefined): Named[] {
  return (notes ?? []).map(({ id, kind, text }) => ({
    id: id ?? null,
    name: noteTitle({ kind: kind ?? 'note', text: text ?? '' }),
  }));
}

type Named = { id?: string | null; name: string };

function byId(...lists: (readonly Named[] | null | undefined)[]): Map<string, string> {
  return new Map(
    lists.flatMap((list) => list ?? []).flatMap(({ id, name }) => (id ? [[id, name] as const] : [])),
  );
}
