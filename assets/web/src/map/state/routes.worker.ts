/** Web worker that routes the lines of large maps. */
import { type RouteTask, routeMap } from '@/core/route/mapRoutes';

addEventListener('message', ({ data }: MessageEvent<RouteTask>) => postMessage(routeMap(data)));
