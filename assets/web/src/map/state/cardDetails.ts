/** The details that cards show at high zoom, stored in this browser. */
import { create } from 'zustand';
import { memoizeLast } from '@/core/scene/memoize';
import type { ViewShow } from '@/core/sync/viewRows';
import { openView } from './openView';

export interface CardDetails {
  description: boolean;
  owner: boolean;
}

const KEY = 'planroom.cards';
const DEFAULTS: CardDetails = { description: true, owner: true };

export const useCardDetails = create<CardDetails>()(() => load());

/** What cards show: the settings of this browser, unless the open view has others. */
export interface ShownDetails extends CardDetails {
  technology: boolean;
  lifecycle: boolean;
}

const shownWith = memoizeLast(
  ({ description, owner }: CardDetails, show: ViewShow): ShownDetails => ({
    description: show.description ?? description,
    owner: show.owner ?? owner,
    technology: show.technology ?? true,
    lifecycle: show.lifecycle ?? true,
  }),
);
const NO_SETTINGS: ViewShow = {};

export function shownDetails(): ShownDetails {
  return shownWith(useCardDetails.getState(), openView()?.view.definition.show ?? NO_SETTINGS);
}

export function setCardDetails(details: Partial<CardDetails>): void {
  useCardDetails.setState(details);
  localStorage.setItem(KEY, JSON.stringify(useCardDetails.getState()));
}

function load(): CardDetails {
  try {
    const stored: Partial<Record<keyof CardDetails, unknown>> = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const flag = (key: keyof CardDetails) => (typeof stored[key] === 'boolean' ? stored[key] : DEFAULTS[key]);
    return { description: flag('description'), owner: flag('owner') };
  } catch {
    return DEFAULTS;
  }
}
