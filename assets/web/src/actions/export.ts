/** Exports a workspace to files. */
import { Braces, FileSpreadsheet, Image as ImageIcon, Shapes, Waypoints } from 'lucide-react';
import { getExportWorkspaceUrl, readSchema } from '@/api/generated';
import { send } from '@/api/http';
import { flowchart } from '@/core/export/flowchart';
import type { ExportModel } from '@/core/export/model';
import { type ExportScene, toExportScene } from '@/core/export/scene';
import { sceneToSvg } from '@/core/export/svg';
import { escapeXml } from '@/core/export/xml';
import { queryClient } from '@/data/queries';
import { shownMap, shownNotes } from '@/map/drawing/shownMap';
import { useView } from '@/map/state/view';
import { diagramElement } from '@/ui/Diagram';
import { diagramColors } from '@/ui/diagramColors';
import { download, downloadCsv } from '@/ui/download';
import { fileName } from '@/ui/fileName';
import { drawDiagram } from '@/ui/mermaid';
import { loadTechnologies } from '@/ui/TechnologyIcon';
import { showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import { loadTypes } from '@/workspace/types';
import { loadDirectory } from '@/workspace/useHolders';
import type { Action } from './action';
import { medium, regular, semibold } from './fonts';
import { pngScale, toPng } from './png';

/** The whole map or the selection. */
type ExportScope = 'map' | 'selection';

const isOpen = () => useWorkspace.getState().rows !== null;
const isSelected = () => isOpen() && useView.getState().selectedComponents.size > 0;
/** Images contain notes too. */
const isDrawingSelected = () => isSelected() || (isOpen() && useView.getState().selectedNotes.size > 0);

function forScopes(
  id: string,
  title: (part: string) => string,
  icon: Action['icon'],
  run: (part: ExportScope) => Promise<void>,
  hasSelection = isSelected,
): Action[] {
  const base = { group: 'Export' as const, ...(icon ? { icon } : {}) };
  return [
    { ...base, id: `export.${id}`, title: title('map'), isEnabled: isOpen, run: () => run('map') },
    {
      ...base,
      id: `export.${id}.selection`,
      title: title('selection'),
      isEnabled: hasSelection,
      run: () => run('selection'),
    },
  ];
}

export const exportActions: readonly Action[] = [
  ...forScopes('svg', (part) => `Export ${part} as SVG`, Shapes, exportSvg, isDrawingSelected),
  ...forScopes('png', (part) => `Export ${part} as PNG`, ImageIcon, exportPng, isDrawingSelected),
  ...forScopes('mermaid', (part) => `Export ${part} as Mermaid flowchart`, Waypoints, exportMermaid),
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
  return queryClient.ensureQueryData({ queryKey: ['catalogue'], queryFn: () => readSchema() });
}

/** The exported part of the map as it is shown. */
async function exportScene(part: ExportScope): Promise<ExportScene> {
  // Without the catalog, the map has no cards.
  await Promise.all([loadTechnologies(), loadCatalogue()]);
  const { selectedComponents, selectedNotes } = useView.getState();
  const notes = await shownNotes((id) => part === 'map' || selectedNotes.has(id));
  return toExportScene(shownMap((id) => part === 'map' || selectedComponents.has(id), notes));
}

async function exportModel(part: ExportScope): Promise<ExportModel> {
  const { rows } = useWorkspace.getState();
  if (!rows) throw new Error('The workspace has not loaded yet.');
  const { selectedComponents } = useView.getState();
  const isIn = (id: string) => part === 'map' || selectedComponents.has(id);
  return {
    name: rows.workspace.name,
    components: [...rows.component.values()].filter(({ id }) => isIn(id)),
    relationships: [...rows.relationship.values()].filter(
      ({ sourceId, targetId }) => isIn(sourceId) && isIn(targetId),
    ),
    catalogue: await loadCatalogue(),
  };
}

function theme(): 'light' | 'dark' {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

async function exportSvg(part: ExportScope): Promise<void> {
  const scene = await exportScene(part);
  download(`${fileName(scene.name)}.svg`, 'image/svg+xml', sceneToSvg(scene, { theme: theme() }));
}

async function exportPng(part: ExportScope): Promise<void> {
  const scene = await exportScene(part);
  const { width, height } = scene.bounds;
  const svg = sceneToSvg(scene, { theme: theme(), fontCss: await fontCss() });
  download(`${fileName(scene.name)}.png`, 'image/png', await toPng(svg, width, height));
  const scale = pngScale(width, height);
  if (scale < 1) {
    showToast(
      `The map is too large for a full-size PNG, so it was scaled to ${Math.round(scale * 100)}%. SVG has no size limit.`,
    );
  }
}

/** The fonts of the map as embedded CSS, because images cannot load external files. */
async function fontCss(): Promise<string> {
  const fonts = [
    { family: 'Barlow Condensed', weight: 500, url: medium },
    { family: 'Barlow Condensed', weight: 600, url: semibold },
    { family: 'Source Sans 3 Variable', weight: '200 900', url: regular },
  ];
  const faces = await Promise.all(
    fonts.map(async ({ family, weight, url }) => {
      const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
      const data = `data:font/woff2;base64,${base64(bytes)}`;
      return `@font-face{font-family:'${family}';font-weight:${weight};src:url(${data}) format('woff2')}`;
    }),
  );
  return faces.join('');
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
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

async function exportJson(): Promise<void> {
  const { workspaceId, rows } = useWorkspace.getState();
  const answer = await send(getExportWorkspaceUrl(workspaceId), { timeout: 0 });
  download(
    `${fileName(rows?.workspace.name ?? workspaceId)}.planroom.json`,
    'application/json',
    await answer.blob(),
  );
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
