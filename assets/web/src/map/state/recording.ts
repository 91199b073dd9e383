/**
 * The process that is being recorded on the map. It is stored in this browser until it is saved or discarded, so that a
 * reload keeps it.
 */

import { create } from 'zustand';
import { ownName } from '@/api/base';
import { useSession } from '@/api/session';
import { formatImpactQuery } from '@/core/impact/query';
import { NO_RECORDING, parseRecording, type Recording } from '@/core/process/recording';
import { navigate } from '@/routing/location';
import { canEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { isMapOpen, openWorkspacePath } from './location';
import { updateQuery } from './playbackUrl';

/** Commands of the recorder, set while it is open, and used by the command palette. */
export interface RecordingControls {
  undo(): void;
  reply(): void;
  startElsewhere(): void;
  cancel(): void;
}

interface State {
  recording: Recording;
  controls: RecordingControls | null;
}

export const useRecording = create<State>()(() => ({ recording: NO_RECORDING, controls: null }));

/** Whether a process can be recorded: the user can edit, and the present map is shown. */
export function canRecord(): boolean {
  return canEdit() && useWorkspace.getState().past === null;
}

/** Whether the URL requests recording. */
export function isRecordingOpen(): boolean {
  return isMapOpen() && new URLSearchParams(location.search).has('record');
}

/** Opens the map for recording and closes other overlays. `name` is suggested when the process is saved. */
export function openRecording(name = ''): void {
  const record = name.trim() || '1';
  if (!isMapOpen()) {
    navigate(`${openWorkspacePath()}?${new URLSearchParams({ record })}`);
    return;
  }
  updateQuery(
    {
      record,
      process: null,
      step: null,
      pick: null,
      alias: null,
      back: null,
      since: null,
      ...formatImpactQuery(null),
    },
    false,
  );
}

/** The name that was entered before recording; empty if none was. */
export function suggestedName(record: string | null): string {
  return record === null || record === '1' ? '' : record;
}

export function closeRecording(): void {
  updateQuery({ record: null });
}

/** Recordings belong to a user and a workspace. */
function storageKey(): string {
  const { workspaceId } = useWorkspace.getState();
  return ownName(`planroom.recording/${useSession.getState().user?.id}/${workspaceId}`);
}

/** Loads the recording of the open workspace that was neither saved nor discarded. */
export function loadRecording(): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(storageKey());
  } catch {
    // Without storage, the recording is lost on reload.
  }
  useRecording.setState({ recording: parseRecording(stored) });
}

export function setRecording(recording: Recording): void {
  useRecording.setState({ recording });
  try {
    if (recording === NO_RECORDING) localStorage.removeItem(storageKey());
    else localStorage.setItem(storageKey(), JSON.stringify(recording));
  } catch {
    // The storage is full or not available.
  }
}
