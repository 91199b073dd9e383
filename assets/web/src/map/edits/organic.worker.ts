/** Computes an organic layout in a worker. */
import type { LayoutTask } from '@/core/layout/layoutTask';
import { organicLayout } from '@/core/layout/organic';

addEventListener('message', ({ data }: MessageEvent<LayoutTask>) => postMessage(organicLayout(data)));
