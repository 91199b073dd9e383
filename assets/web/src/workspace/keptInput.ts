/**
 * Keeps the input of forms until it is saved or discarded. It outlives the form and the page, in this window. Keys contain
 * the user and the workspace, because several people may use the same browser.
 */
import { useState } from 'react';
import { create } from 'zustand';
import { ownName } from '@/api/base';
import { useSession } from '@/api/session';
import { registerPendingInput } from './outboxes';
import { useWorkspace } from './store';

type Inputs = ReadonlyMap<string, unknown>;

/** The storage key, per window. */
const KEY = ownName('planroom.input');

/** Maximum number of inputs. The oldest ones are removed. */
const MAX_INPUTS = 50;

/** Delay after the last keystroke before the inputs are stored, in milliseconds. */
const WRITE_DELAY_MS = 250;

const useInputs = create<{ inputs: Inputs }>()(() => ({ inputs: load() }));

let timer: ReturnType<typeof setTimeout> | undefined;

useInputs.subscribe(() => {
  timer ??= setTimeout(write, WRITE_DELAY_MS);
});
addEventListener('pagehide', write);

function load(): Inputs {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [string, unknown][]);
  } catch {
    return new Map();
  }
}

/** Without storage, the inputs are lost when the page is closed. */
function write(): void {
  clearTimeout(timer);
  timer = undefined;
  const { inputs } = useInputs.getState();
  try {
    if (inputs.size > 0) sessionStorage.setItem(KEY, JSON.stringify([...inputs]));
    else sessionStorage.removeItem(KEY);
  } catch {
    sessionStorage.removeItem(KEY);
  }
}

function put(key: string, value: unknown): void {
  const inputs = new Map(useInputs.getState().inputs);
  inputs.delete(key);
  if (value !== undefined) inputs.set(key, value);
  const [oldest] = inputs.keys();
  if (inputs.size > MAX_INPUTS && oldest !== undefined) inputs.delete(oldest);
  useInputs.setState({ inputs });
}

function keyOf(id: string): string {
  return `${useSession.getState().user?.id}/${useWorkspace.getState().workspaceId}/${id}`;
}

function useKey(id: string): string {
  const userId = useSession(({ user }) => user?.id);
  const workspaceId = useWorkspace((state) => state.workspaceId);
  return `${userId}/${workspaceId}/${id}`;
}

export interface KeptInput<T> {
  value: T;
  /** Whether the form was opened with kept input. */
  isRestored: boolean;
  set: (value: T) => void;
  /** Removes the input, because it was saved or discarded. */
  clear: () => void;
}

/** The input of a form of the open workspace. `initial` is the value without input, which must be JSON. */
export function useKeptInput<T>(id: string, initial: () => T): KeptInput<T> {
  const key = useKey(id);
  const kept = useInputs(({ inputs }) => inputs.get(key)) as T | undefined;
  const [isRestored] = useState(kept !== undefined);
  const [began] = useState(initial);
  return {
    value: kept ?? began,
    isRestored,
    set: (value) => put(key, JSON.stringify(value) === JSON.stringify(began) ? undefined : value),
    clear: () => put(key, undefined),
  };
}

/** Whether there is input that is neither saved nor discarded. */
export function useHasKeptInput(id: string): boolean {
  const key = useKey(id);
  return useInputs(({ inputs }) => inputs.has(key));
}

/** The same for use outside of rendering. */
export function hasKeptInput(id: string): boolean {
  return useInputs.getState().inputs.has(keyOf(id));
}

registerPendingInput({
  flush: () => {},
  count: () => {
    const own = `${useSession.getState().user?.id}/`;
    return [...useInputs.getState().inputs.keys()].filter((key) => key.startsWith(own)).length;
  },
});
