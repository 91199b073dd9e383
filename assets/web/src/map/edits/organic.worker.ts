/** Web worker that computes an organic layout. */
import type { LayoutTask } from '@/core/layout/layoutTask';
import { organicLayout } from '@/core/layout/organic';

addEventListener('message', ({ data }: MessageEvent<LayoutTask>) => postMessage(organicLayout(data)));
