/** Actions that record a process and control its playback. */
import {
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  CircleDot,
  CornerDownLeft,
  Pause,
  Split,
  Undo2,
  X,
} from 'lucide-react';
import { isWorkspaceOpen } from '@/map/state/location';
import { type PlaybackControls, usePlayback } from '@/map/state/playback';
import {
  canRecord,
  isRecordingOpen,
  openRecording,
  type RecordingControls,
  useRecording,
} from '@/map/state/recording';
import type { Action } from './action';

const plays = () => usePlayback.getState().controls !== null;

function control(name: keyof PlaybackControls): () => void {
  return () => usePlayback.getState().controls?.[name]();
}

const records = () => useRecording.getState().controls !== null;

function recorder(name: keyof RecordingControls): () => void {
  return () => useRecording.getState().controls?.[name]();
}

/** Enabled during recording on the map. The recorder handles their keys before other actions. */
const recordingActions: readonly Action[] = [
  {
    id: 'process.undoStep',
    title: 'Undo step of recording',
    group: 'Process',
    keys: ['Backspace'],
    icon: Undo2,
    isEnabled: records,
    run: recorder('undo'),
  },
  {
    id: 'process.return',
    title: 'Return to caller',
    group: 'Process',
    keys: ['R'],
    icon: CornerDownLeft,
    isEnabled: records,
    run: recorder('reply'),
  },
  {
    id: 'process.startElsewhere',
    title: 'Start next step elsewhere',
    group: 'Process',
    keys: ['S'],
    icon: Split,
    isEnabled: records,
    run: recorder('startElsewhere'),
  },
  {
    id: 'process.cancelRecording',
    title: 'Cancel recording',
    group: 'Process',
    keys: ['Escape'],
    icon: X,
    isEnabled: records,
    run: recorder('cancel'),
  },
];

/** All others are enabled during process playback on the map. */
export const processActions: readonly Action[] = [
  {
    id: 'process.record',
    title: 'Record a process',
    group: 'Process',
    keys: ['Shift+P'],
    icon: CircleDot,
    isEnabled: () => isWorkspaceOpen() && canRecord() && !isRecordingOpen(),
    run: () => openRecording(),
  },
  ...recordingActions,
  {
    id: 'process.next',
    title: 'Next step',
    group: 'Process',
    keys: ['.', 'ArrowRight'],
    icon: ChevronRight,
    isEnabled: plays,
    run: control('next'),
  },
  {
    id: 'process.previous',
    title: 'Previous step',
    group: 'Process',
    keys: [',', 'ArrowLeft'],
    icon: ChevronLeft,
    isEnabled: plays,
    run: control('previous'),
  },
  {
    id: 'process.first',
    title: 'First step',
    group: 'Process',
    keys: ['Home'],
    icon: ChevronFirst,
    isEnabled: plays,
    run: control('first'),
  },
  {
    id: 'process.last',
    title: 'Last step',
    group: 'Process',
    keys: ['End'],
    icon: ChevronLast,
    isEnabled: plays,
    run: control('last'),
  },
  {
    id: 'process.toggle',
    title: 'Play or pause',
    group: 'Process',
    keys: ['Space'],
    icon: Pause,
    isEnabled: plays,
    run: control('toggle'),
  },
  {
    id: 'process.exit',
    title: 'Exit playback',
    group: 'Process',
    keys: ['Escape'],
    icon: X,
    isEnabled: plays,
    run: control('leave'),
  },
];
