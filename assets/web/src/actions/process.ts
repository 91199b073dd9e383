/** Actions that record a process and control its playback. */
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, CircleDot, Pause, X } from 'lucide-react';
import { isWorkspaceOpen } from '@/map/state/location';
import { type PlaybackControls, usePlayback } from '@/map/state/playback';
import { canRecord, isRecordingOpen, openRecording } from '@/map/state/recording';
import type { Action } from './action';

const plays = () => usePlayback.getState().controls !== null;

function control(name: keyof PlaybackControls): () => void {
  return () => usePlayback.getState().controls?.[name]();
}

/** All but the first are enabled during process playback on the map. */
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
