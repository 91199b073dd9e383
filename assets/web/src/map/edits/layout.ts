/** Computes a layout in a worker, shows a preview and applies it on request. */
import {
  type ElkGraph,
  elkGraph,
  elkPositions,
  type LayoutPositions,
  type LayoutStyle,
  type LayoutTask,
  layoutMoves,
  layoutTask,
  suitableStyle,
} from '@/core/layout/layoutTask';
import { showError, showToast } from '@/ui/Toasts';
import { camera } from '../state/camera';
import { useInteraction } from '../state/interaction';
import { currentRects, currentScene } from '../state/scenes';
import { useView } from '../state/view';
import { checkCanEdit, commitMoves } from './edits';

let running = 0;
let stop: (() => void) | null = null;

/**
 * Computes a layout of the selection, or of the whole map, and shows a preview. By default, chooses a suitable style.
 */
export async function startLayout(requestedStyle?: LayoutStyle): Promise<void> {
  cancelLayout();
  if (!checkCanEdit()) return;
  const scene = currentScene();
  const { selectedComponents } = useView.getState();
  const task = layoutTask(
    scene,
    currentRects(),
    selectedComponents.size > 1 ? selectedComponents : undefined,
  );
  if (task.nodes.length < 2) return;
  const suitable = suitableStyle(task);
  const style =
    requestedStyle === 'layered' && suitable === 'organic' ? 'organic' : (requestedStyle ?? suitable);
  if (requestedStyle && style !== requestedStyle)
    showToast('The map is too large for a layered layout, so an organic layout was used.');
  const run = ++running;
  useInteraction.setState({ computingLayout: style });
  try {
    const places = await (style === 'layered' ? layeredLayout(task) : organicLayout(task));
    if (run !== running) return;
    const moves = layoutMoves(scene, task, places);
    useInteraction.setState({
      computingLayout: null,
      preview: { style, moves },
      moving: new Map(moves.map(({ id, x, y }) => [id, { x, y }])),
    });
    camera.fit();
  } catch (error) {
    if (run !== running) return;
    useInteraction.setState({ computingLayout: null });
    showError(error);
  }
}

/** Applies the preview as one undo step. */
export function applyLayout(): void {
  const { preview } = useInteraction.getState();
  useInteraction.setState({ preview: null, moving: null });
  if (preview) commitMoves(preview.moves, 'Apply layout');
}

/** Discards the preview, or cancels the computation. */
export function cancelLayout(): void {
  running++;
  stop?.();
  stop = null;
  const { preview, computingLayout } = useInteraction.getState();
  if (!preview && !computingLayout) return;
  useInteraction.setState({ preview: null, moving: null, computingLayout: null });
  camera.fit();
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
