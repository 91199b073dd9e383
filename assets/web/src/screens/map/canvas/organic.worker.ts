/** Computes an organic arrangement beside the page. */
import type { ArrangeTask } from '@/core/layout/arrange';
import { organic } from '@/core/layout/organic';

addEventListener('message', ({ data }: MessageEvent<ArrangeTask>) => postMessage(organic(data)));
