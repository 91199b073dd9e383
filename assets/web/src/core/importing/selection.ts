/** The rows of a preview that the user chose, and the owners of new components, as a request to synchronize. */
import type {
  HolderRef,
  Reading,
  RowOrigin,
  SelectedRow,
  SyncKind,
  SyncReport,
  SyncRequest,
  SyncRow,
} from '@/api/generated';
import {
  type ConflictChoices,
  hasDecisions,
  NO_DECISIONS,
  resolutionsOf,
  withoutConflicts,
} from './conflicts';
import { rowKey } from './rowKey';

/** What the user chose in the preview. */
export interface Choices {
  /** Keys (`rowKey`) of rows that are left out. */
  excluded: ReadonlySet<string>;
  /** Keys of rows that were deleted on the map and are created again. */
  restored: ReadonlySet<string>;
  /** The owner of all new components that have none in the files; null for none. */
  owner: HolderRef | null;
  /** Owners of single components by key, instead of `owner`. */
  owners: ReadonlyMap<string, HolderRef | null>;
  /** The choices for fields that the files and the map changed. */
  conflicts: ConflictChoices;
}

export const NO_CHOICES: Choices = {
  excluded: new Set(),
  restored: new Set(),
  owner: null,
  owners: new Map(),
  conflicts: NO_DECISIONS,
};

/** Stakeholders and links follow their component, so they have no choice of their own. */
const CHOSEN_KINDS: ReadonlySet<SyncKind> = new Set(['component', 'relationship', 'process', 'view']);

export function isChoosable({ kind }: Pick<SyncRow, 'kind'>): boolean {
  return CHOSEN_KINDS.has(kind);
}

/**
 * The rows that are left out: those that the user excluded, and new relationships whose ends are not created because of
 * that.
 */
export function leftOut(reading: Reading, report: SyncReport, choices: Choices): ReadonlySet<string> {
  const added = new Set(report.added.map(rowKey));
  const missing = new Set<string>();
  for (const { id, origin } of reading.components) {
    const key = rowKey({ kind: 'component', key: origin.key });
    if (added.has(key) && choices.excluded.has(key)) missing.add(id);
  }
  const out = new Set(choices.excluded);
  for (const { sourceId, targetId, origin } of reading.relationships ?? []) {
    if (missing.has(sourceId) || missing.has(targetId))
      out.add(rowKey({ kind: 'relationship', key: origin.key }));
  }
  return out;
}

/** The parts of the request that follow from the choices. */
export function chosenParts(
  reading: Reading,
  report: SyncReport,
  choices: Choices,
): Pick<SyncRequest, 'only' | 'owners' | 'restore' | 'resolutions' | 'otherwise'> {
  const owners = chosenOwners(reading, report, choices);
  const resolutions = resolutionsOf(report, choices.conflicts);
  const restore = report.deletedOnMap.filter((row) => choices.restored.has(rowKey(row)));
  return {
    ...onlyOf(reading, report, choices),
    ...(Object.keys(owners).length > 0 ? { owners } : {}),
    ...(restore.length > 0 ? { restore: restore.map(({ key }) => key) } : {}),
    ...(resolutions.length > 0 ? { resolutions } : {}),
    ...(choices.conflicts.all ? { otherwise: choices.conflicts.all } : {}),
  };
}

/** The rows that are synchronized: all but those that are left out. Absent for all rows. */
function onlyOf(reading: Reading, report: SyncReport, choices: Choices): Pick<SyncRequest, 'only'> {
  const out = leftOut(reading, report, choices);
  if (out.size === 0) return {};
  const all: SelectedRow[] = [
    ...reading.components.map(({ origin }): SelectedRow => ({ kind: 'component', key: origin.key })),
    ...(reading.relationships ?? []).map(
      ({ origin }): SelectedRow => ({ kind: 'relationship', key: origin.key }),
    ),
    ...(reading.processes ?? []).map(({ origin }): SelectedRow => ({ kind: 'process', key: origin.key })),
    ...(reading.views ?? []).map(({ origin }): SelectedRow => ({ kind: 'view', key: origin.key })),
    ...[...report.vanished, ...report.removed]
      .filter(isChoosable)
      .map(({ kind, key }): SelectedRow => ({ kind, key })),
  ];
  return { only: all.filter((row) => !out.has(rowKey(row))) };
}

/** Keys of the components that have an owner in the files. */
export function ownedInFiles({ components, stakeholders }: Reading): ReadonlySet<string> {
  const owned = new Set(
    (stakeholders ?? []).filter(({ linkType }) => linkType === 'owner').map(({ componentId }) => componentId),
  );
  return new Set(components.filter(({ id }) => owned.has(id)).map(({ origin }) => origin.key));
}

/** The new components whose owner the user can choose. */
export function unownedAdditions(reading: Reading, report: SyncReport): SyncRow[] {
  const owned = ownedInFiles(reading);
  return report.added.filter(({ kind, key }) => kind === 'component' && !owned.has(key));
}

function chosenOwners(reading: Reading, report: SyncReport, choices: Choices): Record<string, HolderRef> {
  const exceptions = [...choices.owners];
  if (exceptions.every((entry): entry is [string, HolderRef] => entry[1] !== null)) {
    return { ...(choices.owner ? { '*': choices.owner } : {}), ...Object.fromEntries(exceptions) };
  }
  // Every component is listed: `*` would give an owner to those that shall have none.
  const out = leftOut(reading, report, choices);
  const entries = unownedAdditions(reading, report).flatMap((row): [string, HolderRef][] => {
    const own = choices.owners.get(row.key);
    const owner = own === undefined ? choices.owner : own;
    return owner && !out.has(rowKey(row)) ? [[row.key, owner]] : [];
  });
  return Object.fromEntries(entries);
}

/** What an import into a new workspace adds: everything. */
export function reportOfNew(reading: Reading, source: SyncReport['source']): SyncReport {
  const names = new Map(reading.components.map(({ id, name }) => [id, name]));
  const row = (kind: SyncKind, { key, file, line }: RowOrigin, name: string): SyncRow => ({
    kind,
    key,
    id: null,
    name,
    file,
    line,
  });
  const added = [
    ...reading.components.map(({ origin, name }) => row('component', origin, name)),
    ...(reading.relationships ?? []).map(({ origin, sourceId, targetId }) =>
      row('relationship', origin, `${names.get(sourceId) ?? sourceId} → ${names.get(targetId) ?? targetId}`),
    ),
    ...(reading.processes ?? []).map(({ origin, name }) => row('process', origin, name)),
    ...(reading.views ?? []).map(({ origin, name }) => row('view', origin, name)),
  ];
  return {
    source,
    sources: [source],
    repository: null,
    changeSetId: null,
    revision: 0,
    isInStep: added.length === 0,
    added,
    changed: [],
    conflicts: [],
    vanished: [],
    returned: [],
    removed: [],
    adopted: [],
    deletedOnMap: [],
    renameCandidates: [],
    unchanged: 0,
    diagnostics: [],
    massRemoval: null,
    counts: {
      added: added.length,
      changed: 0,
      conflicts: 0,
      vanished: 0,
      returned: 0,
      removed: 0,
      adopted: 0,
      deletedOnMap: 0,
    },
  };
}

/** Whether a synchronization with these choices would change anything. */
export function changesAnything(reading: Reading, report: SyncReport, choices: Choices): boolean {
  const out = leftOut(reading, report, choices);
  const lists = [
    report.added,
    withoutConflicts(report),
    report.conflicts.filter((row) => hasDecisions(row, choices.conflicts)),
    report.vanished,
    report.returned,
    report.removed,
    report.adopted,
  ];
  return (
    lists.some((rows) => rows.some((row) => !out.has(rowKey(row)))) ||
    report.deletedOnMap.some((row) => choices.restored.has(rowKey(row)))
  );
}
