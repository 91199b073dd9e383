/** Arranges in a worker, shows what would come of it, and does it when that is wanted. */
import {
  type ArrangeTask,
  arrangeMoves,
  type ElkGraph,
  elkGraph,
  elkPlaces,
  type Places,
  type Style,
  suits,
  taskOf,
} from '@/core/layout/arrange';
import { complain, say } from '@/ui/Toasts';
import { useView } from '../view';
import { camera } from './camera';
import { commitMoves, mayEdit } from './edits';
import { useHold } from './hold';
import { currentPlaces, currentScene } from './scenes';

let running = 0;
let stop: (() => void) | null = null;

/** Arranges what is selected, or everything, and shows it. Without a style, by the one that suits. */
export async function arrange(wanted?: Style): Promise<void> {
  cancelArrange();
  if (!mayEdit()) return;
  const scene = currentScene();
  const { selectedComponents } = useView.getState();
  const task = taskOf(scene, currentPlaces(), selectedComponents.size > 1 ? selectedComponents : undefined);
  if (task.nodes.length < 2) return;
  const suitable = suits(task);
  const style = wanted === 'layered' && suitable === 'organic' ? 'organic' : (wanted ?? suitable);
  if (wanted && style !== wanted)
    say('The map is too large for a layered layout, so an organic layout was used.');
  const run = ++running;
  useHold.setState({ arranging: style });
  try {
    const places = await (style === 'layered' ? layered(task) : organic(task));
    if (run !== running) return;
    const moves = arrangeMoves(scene, task, places);
    useHold.setState({
      arranging: null,
      preview: { style, moves },
      moving: new Map(moves.map(({ id, x, y }) => [id, { x, y }])),
    });
    camera.fit();
  } catch (error) {
    if (run !== running) return;
    useHold.setState({ arranging: null });
    complain(error);
  }
}

/** Does what is shown: one entry of undo. */
export function applyArrange(): void {
  const { preview } = useHold.getState();
  useHold.setState({ preview: null, moving: null });
  if (preview) commitMoves(preview.moves, 'Apply layout');
}

/** Forgets what is shown, or is being computed. */
export function cancelArrange(): void {
  running++;
  stop?.();
  stop = null;
  const { preview, arranging } = useHold.getState();
  if (!preview && !arranging) return;
  useHold.setState({ preview: null, moving: null, arranging: null });
  camera.fit();
}

async function layered(task: ArrangeTask): Promise<Places> {
  const [{ default: Elk }, { default: url }] = await Promise.all([
    import('elkjs/lib/elk-api.js'),
    import('elkjs/lib/elk-worker.min.js?url'),
  ]);
  const elk = new Elk({ workerFactory: () => new Worker(url) });
  stop = () => elk.terminateWorker();
  try {
    return elkPlaces((await elk.layout(elkGraph(task))) as ElkGraph);
  } finally {
    elk.terminateWorker();
  }
}

function organic(task: ArrangeTask): Promise<Places> {
  const worker = new Worker(new URL('./organic.worker.ts', import.meta.url), { type: 'module' });
  stop = () => worker.terminate();
  return new Promise<Places>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Places>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message || 'Could not compute the layout.'));
    worker.postMessage(task);
  }).finally(() => worker.terminate());
}
