/** The view that a component opens. */
import type { Component } from '@/api/generated';
import type { Rows } from '../sync/rows';
import type { View } from '../sync/viewRows';

/** The view that explains a component, if it exists. */
export function openedView(
  component: Component | undefined,
  rows: Pick<Rows, 'view'> | null,
): View | undefined {
  return component?.opens ? rows?.view.get(component.opens) : undefined;
}
