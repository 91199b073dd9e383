/** Routes some lines of a large map in a worker. */
import { type ExtraRouteTask, routeExtraLines } from '@/core/route/live';

addEventListener('message', ({ data }: MessageEvent<ExtraRouteTask>) => postMessage(routeExtraLines(data)));
