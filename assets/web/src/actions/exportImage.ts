/** Downloads images of the map, which the server draws. */
import { ApiError } from '@/api/errors';
import {
  type DrawMapAsSvgParams,
  drawMapAsPdfUrl,
  drawMapAsPngUrl,
  drawMapAsSvgUrl,
  drawPersonalViewAsPdfUrl,
  drawPersonalViewAsPngUrl,
  drawPersonalViewAsSvgUrl,
  drawViewAsPdfUrl,
  drawViewAsPngUrl,
  drawViewAsSvgUrl,
} from '@/api/generated';
import { send } from '@/api/http';
import { useImageOptions } from '@/map/state/imageOptions';
import { parseAddress, viewAddress, viewAt } from '@/map/state/openView';
import { useView } from '@/map/state/view';
import { download } from '@/ui/download';
import { fileName } from '@/ui/fileName';
import { closeToast, showToast } from '@/ui/Toasts';
import { saveAll } from '@/workspace/outboxes';
import { useWorkspace } from '@/workspace/store';

export type ImageFormat = 'svg' | 'png' | 'pdf';

const MAP_URLS = { svg: drawMapAsSvgUrl, png: drawMapAsPngUrl, pdf: drawMapAsPdfUrl };
const VIEW_URLS = { svg: drawViewAsSvgUrl, png: drawViewAsPngUrl, pdf: drawViewAsPdfUrl };
const PERSONAL_URLS = {
  svg: drawPersonalViewAsSvgUrl,
  png: drawPersonalViewAsPngUrl,
  pdf: drawPersonalViewAsPdfUrl,
};
const MEDIA_TYPES = { svg: 'image/svg+xml', png: 'image/png', pdf: 'application/pdf' };
/** Maximum number of components that the server draws by ID. */
const MAX_SELECTED = 500;
/** Attempts while the server is busy with other images. */
const MAX_ATTEMPTS = 5;
const PROGRESS = 'image export';

/** Exports the map or the open view, or the selection in it. */
export async function exportImage(format: ImageFormat, part: 'map' | 'selection'): Promise<void> {
  const { workspaceId, rows } = useWorkspace.getState();
  if (!rows) throw new Error('The workspace has not loaded yet.');
  const address = viewAddress();
  const view = address === null ? undefined : parseAddress(address);
  const params = imageParams(part);
  const viewUrls = view?.isPersonal ? PERSONAL_URLS : VIEW_URLS;
  const url = view ? viewUrls[format](workspaceId, view.id, params) : MAP_URLS[format](workspaceId, params);
  const shown = address === null ? undefined : viewAt(address)?.name;
  showToast('Drawing the image…', undefined, PROGRESS);
  try {
    // The server draws what is saved.
    await saveAll(workspaceId);
    const content = await drawn(url);
    download(`${fileName(shown ?? rows.workspace.name)}.${format}`, MEDIA_TYPES[format], content);
  } finally {
    closeToast(PROGRESS);
  }
}

function imageParams(part: 'map' | 'selection'): DrawMapAsSvgParams {
  const { title, legend } = useImageOptions.getState();
  const params = { theme: theme(), ...(title && { title }), ...(legend && { legend }) };
  if (part === 'map') return params;
  const { selectedComponents } = useView.getState();
  if (selectedComponents.size > MAX_SELECTED)
    throw new Error(
      `Images can show at most ${MAX_SELECTED} selected components. Save a view, and export that.`,
    );
  return { ...params, components: [...selectedComponents].join(',') };
}

async function drawn(url: string): Promise<Blob> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (await send(url, { timeout: 0 })).blob();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 0)
        throw new Error(
          'The server draws images, and it cannot be reached. Check your connection and export again.',
        );
      if (error.status !== 503 || attempt === MAX_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfter ?? 1000));
    }
  }
}

function theme(): 'light' | 'dark' {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
