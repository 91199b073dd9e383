/** Computes an organic arrangement beside the page. */
import type { ArrangeTask } from '@/core/layout/layoutTask';
import { organic } from '@/core/layout/organic';

addEventListener('message', ({ data }: MessageEvent<ArrangeTask>) => postMessage(organic(data)));
