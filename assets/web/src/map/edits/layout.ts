/** Computes a layout in a worker, shows a preview and applies it on request. */
import { outermost } from '@/core/containment/containment';
import { type LayoutScope, layoutBlocks, placeBlocks, scopeOf } from '@/core/layout/blocks';
import { type ElkGraph, elkGraph, elkPositions } from '@/core/layout/elkGraph';
import {
  canBeLayered,
  type LayoutPositions,
  type LayoutStyle,
  type LayoutTask,
  suitableStyle,
} from '@/core/layout/layoutTask';
import { removeWaypoints, withWaypoints } from '@/core/layout/lineEdits';
import { boundingBox, containsRect } from '@/core/scene/geometry';
import { showError, showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import { setViewport, useCamera, type Viewport } from '../state/camera';
import { camera, isFitted } from '../state/framing';
import { type LayoutRequest, useInteraction } from '../state/interaction';
import { layoutDirection, saveLayoutDirection } from '../state/layoutDirection';
import { currentRects, currentScene, currentSizes } from '../state/scenes';
import { useView } from '../state/view';
import { checkCanEdit, edit, rows, short } from './edits';
import { placementOperations } from './frames';

let stop: (() => void) | null = null;
/** The viewport before the preview, which is restored when it is canceled. */
let viewportBefore: Viewport | null = null;

/** What a layout of the selection arranges. */
function selectionScope(): LayoutScope {
  return scopeOf(currentScene(), useView.getState().selectedComponents);
}

/** Describes what a layout arranges: `all`, `3 selected` or `inside “Backend”`. */
export function describeScope(
  scope = selectionScope(),
  selected: ReadonlySet<string> = useView.getState().selectedComponents,
): string {
  if (scope === 'all') return 'all';
  if (scope === 'selection') return `${selected.size.toLocaleString('en')} selected`;
  const [group = ''] = outermost(currentScene().containment, selected);
  return `inside “${short(rows().component.get(group)?.name ?? group)}”`;
}

/** Computes a layout of the selection, or of the whole map, and shows a preview. */
export async function startLayout(style: LayoutStyle): Promise<void> {
  cancelLayout();
  if (!checkCanEdit()) return;
  viewportBefore = useCamera.getState().viewport;
  const selected = useView.getState().selectedComponents;
  const selection = selectionScope();
  const request = { style, scope: selection, selection, selected, direction: layoutDirection() };
  await preview(request, (task) => suitableStyle(task) === 'layered');
}

/** Computes another layout while a preview is shown. */
export async function changeLayout(
  change: Partial<Pick<LayoutRequest, 'style' | 'scope' | 'direction'>>,
): Promise<void> {
  const { preview: shown, computingLayout } = useInteraction.getState();
  const request = computingLayout ?? shown?.request;
  if (!request) return;
  if (change.direction) saveLayoutDirection(change.direction);
  await preview({ ...request, ...change }, canBeLayered);
}

/** Shows an organic layout instead of a layered one unless `allowsLayered` is true for all parts. */
async function preview(wanted: LayoutRequest, allowsLayered: (task: LayoutTask) => boolean): Promise<void> {
  stop?.();
  const { workspaceId } = useWorkspace.getState();
  const scene = currentScene();
  const sizes = currentSizes();
  const blocks = layoutBlocks(scene, sizes, wanted);
  const tasks = blocks.map(({ task }) => task);
  if (tasks.every(({ nodes }) => nodes.length < 2)) return;
  const request = { ...wanted, style: possibleStyle(wanted.style, tasks, allowsLayered) };
  useInteraction.setState({ computingLayout: request });
  // The user may have canceled, requested another layout, or left the map or the workspace.
  const isOutdated = () =>
    useInteraction.getState().computingLayout !== request ||
    useWorkspace.getState().workspaceId !== workspaceId;
  try {
    const results: LayoutPositions[] = [];
    for (const task of tasks) {
      results.push(await (request.style === 'layered' ? layeredLayout(task) : organicLayout(task)));
      if (isOutdated()) return;
    }
    const placed = placeBlocks(
      scene,
      sizes,
      blocks.map((block, at) => [block, results[at] ?? {}]),
    );
    const arranged = new Set(placed.moves.map(({ id }) => id));
    useInteraction.setState({
      computingLayout: null,
      preview: { ...placed, request, rerouted: withWaypoints(rows(), arranged) },
      moving: new Map(placed.moves.map(({ id, x, y }) => [id, { x, y }])),
    });
    showArranged(request.scope, arranged);
  } catch (error) {
    if (isOutdated()) return;
    useInteraction.setState({ computingLayout: null });
    showError(error);
  }
}

/** The requested style, or an organic layout if a layered one is not allowed. Shows a message then. */
function possibleStyle(
  style: LayoutStyle,
  tasks: readonly LayoutTask[],
  allowsLayered: (task: LayoutTask) => boolean,
): LayoutStyle {
  if (style === 'organic' || tasks.every(allowsLayered)) return style;
  showToast(
    tasks.every(canBeLayered)
      ? 'A layered layout of this many components and relationships takes long, so an organic layout was used. You can still choose Layered.'
      : 'There are too many components for a layered layout, so an organic layout was used.',
  );
  return 'organic';
}

/** Fits the whole map, or the arranged part unless it is already in view. */
function showArranged(scope: LayoutScope, arranged: ReadonlySet<string>): void {
  if (scope === 'all') {
    camera.fit();
    return;
  }
  const { indexOf } = currentScene();
  const rects = currentRects();
  const part = boundingBox([...arranged].flatMap((id) => rects[indexOf.get(id) ?? -1] ?? []));
  if (part && !containsRect(camera.visible(), part)) camera.fit([...arranged]);
}

/** Applies the preview as one undo step. */
export function applyLayout(): void {
  const { preview: shown } = useInteraction.getState();
  stop?.();
  const wasFitted = isFitted();
  useInteraction.setState({ preview: null, moving: null, computingLayout: null });
  if (!shown) return;
  const moved = placementOperations(
    rows(),
    shown.moves.map(({ id, x, y }) => [id, { x, y }]),
    shown.rerouted,
  );
  const operations = [...moved, ...removeWaypoints(rows(), shown.rerouted)];
  if (operations.length > 0) edit('Apply layout', operations);
  // The minimap, which was hidden during the preview, must not cover components.
  if (wasFitted) requestAnimationFrame(() => camera.fit());
}

/** Discards the preview, or cancels the computation. */
export function cancelLayout(): void {
  stop?.();
  stop = null;
  const { preview: shown, computingLayout } = useInteraction.getState();
  if (!shown && !computingLayout) return;
  useInteraction.setState({ preview: null, moving: null, computingLayout: null });
  if (shown && viewportBefore) setViewport(viewportBefore);
}

async function layeredLayout(task: LayoutTask): Promise<LayoutPositions> {
  const [{ default: Elk }, { default: url }] = await Promise.all([
    import('elkjs/lib/elk-api.js'),
    import('elkjs/lib/elk-worker.min.js?url'),
  ]);
  const elk = new Elk({ workerFactory: () => new Worker(url) });
  stop = () => elk.terminateWorker();
  try {
    return elkPositions((await elk.layout(elkGraph(task))) as ElkGraph);
  } finally {
    elk.terminateWorker();
  }
}

function organicLayout(task: LayoutTask): Promise<LayoutPositions> {
  const worker = new Worker(new URL('./organic.worker.ts', import.meta.url), { type: 'module' });
  stop = () => worker.terminate();
  return new Promise<LayoutPositions>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<LayoutPositions>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message || 'Could not compute the layout.'));
    worker.postMessage(task);
  }).finally(() => worker.terminate());
}
