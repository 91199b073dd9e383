/** Reading files of other tools, synchronizing them with a workspace, their sources, and drift. */
import { http, type RequestOptions, send } from './http';

export interface SourceFile {
  name: string;
  content?: string;
  contentBase64?: string;
}

export interface Diagnostic {
  severity: 'info' | 'warning' | 'error';
  file: string;
  line: number;
  text: string;
}

/** Where a row is in its source. */
export interface Origin {
  key: string;
  file: string;
  line: number;
}

export interface ReadComponent {
  origin: Origin;
  id: string;
  typeId: string;
  name: string;
}

export interface ReadRelationship {
  origin: Origin;
  id: string;
  sourceId: string;
  targetId: string;
  typeId: string;
  label?: string;
}

export interface ReadStakeholder {
  origin: Origin;
  componentId: string;
  personId?: string;
  teamId?: string;
  linkType: string;
}

export interface ReadNamed {
  origin: Origin;
  id: string;
  name: string;
}

/** The rows of a workspace that files contain, each with its origin. */
export interface Reading {
  workspace?: { name: string; description?: string };
  people?: ReadNamed[];
  teams?: ReadNamed[];
  components: ReadComponent[];
  relationships?: ReadRelationship[];
  stakeholders?: ReadStakeholder[];
  processes?: ReadNamed[];
  views?: ReadNamed[];
}

export interface ReadFiles {
  format: string;
  formatName: string;
  isObserved: boolean;
  files: string[];
  reading: Reading;
  diagnostics: Diagnostic[];
  diagnosticCount: number;
  ignored: Record<string, number>;
  counts: Record<string, number>;
}

export interface HolderReference {
  kind: 'person' | 'team';
  id: string;
}

export interface SourceReference {
  id: string;
  kind: string;
  name?: string;
  revision?: string;
  url?: string;
}

export interface RowReference {
  kind: SyncKind;
  key: string;
}

export type Preference = 'source' | 'map' | 'ask';

export interface SyncRequest {
  source: SourceReference;
  reading: Reading;
  policy?: Partial<Record<string, Preference>>;
  adopt?: boolean;
  prune?: boolean;
  allowMassRemoval?: boolean;
  draw?: boolean;
  renames?: Record<string, string>;
  only?: RowReference[];
  restore?: string[];
  owners?: Record<string, HolderReference>;
}

export type SyncKind = 'component' | 'relationship' | 'stakeholder' | 'link' | 'process' | 'view';

export interface SyncRow {
  kind: SyncKind;
  key: string;
  /** Null: not on the map yet. */
  id: string | null;
  name: string;
  file: string;
  line: number;
  missingSince?: number;
  /** Absent if the list has none. */
  fields?: SyncField[];
}

export interface SyncField {
  field: string;
  base: unknown;
  source: unknown;
  map: unknown;
  taken: 'source' | 'map' | 'none';
}

export interface SyncReport {
  source: SourceReference;
  changeSetId: string | null;
  revision: number;
  isInStep: boolean;
  added: SyncRow[];
  changed: SyncRow[];
  conflicts: SyncRow[];
  vanished: SyncRow[];
  returned: SyncRow[];
  removed: SyncRow[];
  adopted: SyncRow[];
  deletedOnMap: SyncRow[];
  renameCandidates: { from: string; to: string; name: string; newName: string }[];
  unchanged: number;
  diagnostics: Diagnostic[];
  massRemoval: { vanishing: number; claimed: number; isAllowed: boolean } | null;
  counts: Record<string, number>;
}

export interface Source {
  id: string;
  kind: string;
  kindName: string;
  isObserved: boolean;
  name: string | null;
  revision: string | null;
  url: string | null;
  lastSyncAt: number;
  lastSyncBy: string | null;
  claims: Partial<Record<SyncKind, number>>;
  missing: number;
}

export interface Claim {
  kind: SyncKind;
  key: string;
  id: string | null;
  file: string;
  line: number;
  seenAt: number;
  missingSince: number | null;
}

export type DriftKind =
  | 'onlyInCode'
  | 'onlyOnMap'
  | 'differs'
  | 'sourcesDiffer'
  | 'seenNotDrawn'
  | 'drawnNotSeen'
  | 'unowned';

export interface Finding {
  finding: DriftKind;
  kind: SyncKind;
  id: string | null;
  name: string;
  key?: string;
  source?: string;
  file?: string;
  line?: number;
  field?: string;
  sourceValue?: unknown;
  mapValue?: unknown;
  otherSource?: string;
  otherValue?: unknown;
  missingSince?: number;
  seenAt?: number;
  lastChangedBy?: string;
  lastChangedAt?: number;
}

export interface Drift {
  counts: Record<DriftKind, number>;
  sources: number;
  findings: Finding[];
  nextCursor?: string;
}

const workspace = (id: string) => `/api/workspaces/${encodeURIComponent(id)}`;

function post<T>(url: string, body: unknown, options: RequestOptions = {}): Promise<T> {
  const headers = { ...Object.fromEntries(new Headers(options.headers)), 'Content-Type': 'application/json' };
  return http<T>(url, { ...options, method: 'POST', headers, body: JSON.stringify(body) });
}

export function readFiles(body: { files: SourceFile[]; format?: string }, options?: RequestOptions) {
  return post<ReadFiles>('/api/readings', body, options);
}

export function previewSync(id: string, body: SyncRequest, options?: RequestOptions) {
  return post<SyncReport>(`${workspace(id)}/sync/preview`, body, options);
}

export function syncWorkspace(id: string, body: SyncRequest, options?: RequestOptions) {
  return post<SyncReport>(`${workspace(id)}/sync`, body, options);
}

export function listSources(id: string, options?: RequestOptions) {
  return http<{ sources: Source[]; nextCursor?: string }>(`${workspace(id)}/sources`, options);
}

export function readSource(
  id: string,
  source: string,
  params: { limit?: number; cursor?: string },
  options?: RequestOptions,
) {
  return http<{ source: Source; claims: Claim[]; nextCursor?: string }>(
    `${workspace(id)}/sources/${encodeURIComponent(source)}${query(params)}`,
    options,
  );
}

export function removeSource(id: string, source: string, options?: RequestOptions) {
  return send(`${workspace(id)}/sources/${encodeURIComponent(source)}`, { ...options, method: 'DELETE' });
}

export function readDrift(
  id: string,
  params: { finding?: DriftKind; days?: number; limit?: number; cursor?: string },
  options?: RequestOptions,
) {
  return http<Drift>(`${workspace(id)}/drift${query(params)}`, options);
}

function query(params: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
