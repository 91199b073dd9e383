/** The details that cards show at high zoom, stored in this browser. */
import { create } from 'zustand';

export interface CardDetails {
  description: boolean;
  owner: boolean;
}

const KEY = 'planroom.cards';
const DEFAULTS: CardDetails = { description: true, owner: true };

export const useCardDetails = create<CardDetails>()(() => load());

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
