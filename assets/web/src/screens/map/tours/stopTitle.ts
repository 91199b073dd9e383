/** The title of a stop of a tour. */
import type { Rows } from '@/core/sync/rows';
import type { StopTarget } from '@/core/sync/viewRows';

export interface StopTitle {
  text: string;
  /** Whether something that the stop shows was deleted. */
  isMissing: boolean;
}

export function stopTitle({ viewId, componentId, processId, step }: StopTarget, rows: Rows): StopTitle {
  const view = viewId === undefined || viewId === 'all' ? undefined : rows.view.get(viewId);
  const isViewMissing = viewId !== undefined && viewId !== 'all' && !view;
  const place = viewId === undefined ? '' : viewId === 'all' ? 'the map' : (view?.name ?? viewId);
  if (componentId !== undefined) {
    const component = rows.component.get(componentId);
    const name = component?.name ?? componentId;
    return { text: place ? `${name} in ${place}` : name, isMissing: isViewMissing || !component };
  }
  if (processId !== undefined) {
    const process = rows.process.get(processId);
    const name = process?.name ?? processId;
    return { text: step ? `${name}, step ${step}` : name, isMissing: isViewMissing || !process };
  }
  return { text: viewId === 'all' ? 'The whole map' : place, isMissing: isViewMissing };
}
