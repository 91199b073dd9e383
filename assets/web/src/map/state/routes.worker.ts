/** Routes the lines of a large map off the main thread. */
import { type RouteTask, routeMap } from '@/core/route/mapRoutes';

addEventListener('message', ({ data }: MessageEvent<RouteTask>) => postMessage(routeMap(data)));
