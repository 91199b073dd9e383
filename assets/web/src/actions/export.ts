/** Exports a workspace to files. */
import {
  Blocks,
  Braces,
  FileSpreadsheet,
  FileText,
  Gavel,
  Image as ImageIcon,
  Shapes,
  Waypoints,
  Workflow,
} from 'lucide-react';
import {
  type ExportWorkspaceParams,
  exportDecisionsUrl,
  exportPersonalViewUrl,
  exportWorkspaceUrl,
  getSchema,
} from '@/api/generated';
import { send } from '@/api/http';
import { drawnRelationships } from '@/core/export/drawnRelationships';
import { flowchart } from '@/core/export/flowchart';
import type { ExportModel } from '@/core/export/model';
import { escapeXml } from '@/core/export/xml';
import type { SceneRows } from '@/core/scene/scene';
import { queryClient } from '@/data/queries';
import { openView, parseAddress, viewAddress, viewAt } from '@/map/state/openView';
import { useView } from '@/map/state/view';
import { shownRows } from '@/map/state/viewContents';
import { diagramElement } from '@/ui/Diagram';
import { diagramColors } from '@/ui/diagramColors';
import { download, downloadCsv } from '@/ui/download';
import { fileName } from '@/ui/fileName';
import { drawDiagram } from '@/ui/mermaid';
import { saveAll } from '@/workspace/outboxes';
import { useWorkspace } from '@/workspace/store';
import { loadTypes } from '@/workspace/types';
import { loadDirectory } from '@/workspace/useHolders';
import type { Action } from './action';
import { exportImage, type ImageFormat } from './exportImage';

/** The whole map or the selection. */
type ExportScope = 'map' | 'selection';

const isOpen = () => useWorkspace.getState().rows !== null;
const isSelected = () => isOpen() && useView.getState().selectedComponents.size > 0;
/** The server draws the current state, not a past one. */
const isCurrent = () => isOpen() && useWorkspace.getState().past === null;
const isCurrentSelected = () => isSelected() && isCurrent();

function forScopes(
  id: string,
  title: (part: string) => string,
  icon: Action['icon'],
  run: (part: ExportScope) => Promise<void>,
  isEnabled = isOpen,
  hasSelection = isSelected,
): Action[] {
  const base = { group: 'Export' as const, ...(icon ? { icon } : {}) };
  return [
    { ...base, id: `export.${id}`, title: title('map'), isEnabled, run: () => run('map') },
    {
      ...base,
      id: `export.${id}.selection`,
      title: title('selection'),
      isEnabled: hasSelection,
      run: () => run('selection'),
    },
  ];
}

function forImages(format: ImageFormat, name: string, icon: Action['icon']): Action[] {
  const title = (part: string) => `Export ${part} as ${name}`;
  const run = (part: ExportScope) => exportImage(format, part);
  return forScopes(format, title, icon, run, isCurrent, isCurrentSelected);
}

type Format = NonNullable<ExportWorkspaceParams['format']>;

/** Formats of other tools, which the server writes: format, name, extension, icon. */
const FORMATS: readonly [Format, string, string, Action['icon']][] = [
  ['mermaid-c4', 'Mermaid C4', 'mmd', Waypoints],
  ['plantuml-c4', 'PlantUML C4', 'puml', Waypoints],
  ['structurizr-dsl', 'Structurizr DSL', 'dsl', Blocks],
  ['structurizr-json', 'Structurizr JSON', 'structurizr.json', Blocks],
  ['drawio', 'draw.io drawing', 'drawio', Workflow],
];

function forFormats(): Action[] {
  return FORMATS.map(([format, name, extension, icon]) => ({
    id: `export.${format}`,
    title: `Export map as ${name}`,
    group: 'Export' as const,
    ...(icon ? { icon } : {}),
    isEnabled: isCurrent,
    run: () => exportShown(format, extension),
  }));
}

export const exportActions: readonly Action[] = [
  ...forImages('svg', 'SVG', Shapes),
  ...forImages('png', 'PNG', ImageIcon),
  ...forImages('pdf', 'PDF', FileText),
  ...forScopes('mermaid', (part) => `Export ${part} as Mermaid flowchart`, Waypoints, exportMermaid),
  ...forFormats(),
  {
    id: 'export.csv.components',
    title: 'Export components as CSV',
    group: 'Export',
    icon: FileSpreadsheet,
    isEnabled: isOpen,
    run: exportComponents,
  },
  {
    id: 'export.csv.relationships',
    title: 'Export relationships as CSV',
    group: 'Export',
    icon: FileSpreadsheet,
    isEnabled: isOpen,
    run: exportRelationships,
  },
  {
    id: 'export.decisions',
    title: 'Export decisions as Markdown',
    group: 'Export',
    icon: Gavel,
    isEnabled: () => isCurrent() && (useWorkspace.getState().rows?.decision.size ?? 0) > 0,
    run: exportDecisions,
  },
  {
    id: 'export.json',
    title: 'Export workspace as JSON',
    group: 'Export',
    icon: Braces,
    isEnabled: isOpen,
    run: exportJson,
  },
];

/** Loads the catalog from the shared query cache. */
function loadCatalogue() {
  return queryClient.ensureQueryData({ queryKey: ['catalogue'], queryFn: () => getSchema() });
}

async function exportModel(part: ExportScope): Promise<ExportModel> {
  const { rows } = useWorkspace.getState();
  if (!rows) throw new Error('The workspace has not loaded yet.');
  const { selectedComponents } = useView.getState();
  const isIn = (id: string) => part === 'map' || selectedComponents.has(id);
  const shown: SceneRows = shownRows() ?? rows;
  const catalogue = await loadCatalogue();
  const names = new Map(catalogue.relationTypes.map(({ id, name }) => [id, name]));
  const relationships = drawnRelationships(shown, (typeId) => names.get(typeId) ?? typeId);
  return {
    name: openView()?.view.name ?? rows.workspace.name,
    components: [...shown.component.values()].filter(({ id }) => isIn(id)),
    relationships: relationships.filter(({ sourceId, targetId }) => isIn(sourceId) && isIn(targetId)),
    catalogue,
  };
}

async function exportMermaid(part: ExportScope): Promise<void> {
  const model = await exportModel(part);
  download(`${fileName(model.name)}.mmd`, 'text/plain', flowchart(model));
}

async function exportComponents(): Promise<void> {
  const { rows } = useWorkspace.getState();
  if (!rows) return;
  const { sheetOf } = await import('@/core/table/sheetColumns');
  const [catalogue, { holders, roles }, types] = await Promise.all([
    loadCatalogue(),
    loadDirectory(),
    loadTypes(),
  ]);
  downloadCsv(`${rows.workspace.name} components`, sheetOf(rows, catalogue, roles, holders, types));
}

async function exportRelationships(): Promise<void> {
  const { rows } = useWorkspace.getState();
  if (!rows) return;
  const { relationshipsCsv } = await import('@/core/export/csv');
  const csv = relationshipsCsv([...rows.relationship.values()], rows.component, await loadCatalogue());
  downloadCsv(`${rows.workspace.name} relationships`, csv);
}

/** Downloads the workspace file. */
async function exportJson(): Promise<void> {
  const { workspaceId, rows } = useWorkspace.getState();
  const name = rows?.workspace.name ?? workspaceId;
  await downloadFile(
    exportWorkspaceUrl(workspaceId, { format: 'planroom' }),
    `${fileName(name)}.planroom.json`,
  );
}

/** Downloads the map or the open view in the format of another tool. */
async function exportShown(format: Format, extension: string): Promise<void> {
  const { workspaceId, rows } = useWorkspace.getState();
  const address = viewAddress();
  const view = address === null ? undefined : parseAddress(address);
  const shown = address === null ? undefined : viewAt(address)?.name;
  const url = view?.isPersonal
    ? exportPersonalViewUrl(workspaceId, view.id, { format })
    : exportWorkspaceUrl(workspaceId, { format, ...(view && { view: view.id }) });
  await downloadFile(url, `${fileName(shown ?? rows?.workspace.name ?? workspaceId)}.${extension}`);
}

/** Downloads a file that the server writes, from what is saved. */
async function downloadFile(url: string, name: string): Promise<void> {
  await saveAll(useWorkspace.getState().workspaceId);
  const response = await send(url, { timeout: 0 });
  const type = response.headers.get('content-type') ?? 'application/octet-stream';
  download(name, type, await response.blob());
}

/** Downloads the decisions as an archive of Markdown files. */
async function exportDecisions(): Promise<void> {
  const { workspaceId, rows } = useWorkspace.getState();
  await saveAll(workspaceId);
  const response = await send(exportDecisionsUrl(workspaceId), { timeout: 0 });
  const name = fileName(`${rows?.workspace.name ?? workspaceId} decisions`);
  download(`${name}.tar.gz`, 'application/gzip', await response.blob());
}

/** Exports the diagram of a process as SVG, in the colors of the light theme. */
export async function exportProcess(name: string, text: string): Promise<void> {
  const drawing = await drawDiagram(text, diagramColors('light'));
  const element = diagramElement(drawing);
  if (!element) throw new Error('Could not render the diagram.');
  // Insert styles as text, because the content security policy blocks style elements in this page.
  const xml = new XMLSerializer().serializeToString(element);
  const end = xml.indexOf('>') + 1;
  const svg = `${xml.slice(0, end)}<style>${escapeXml(drawing.css)}</style>${xml.slice(end)}`;
  download(`${fileName(name)}.svg`, 'image/svg+xml', svg);
}
