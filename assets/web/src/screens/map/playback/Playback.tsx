/** Process overlays of the map: the playback bar, the recorder and the component picker. */
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useSearch } from 'wouter';
import { hidePanels } from '@/map/state/panels';
import { suggestedName } from '@/map/state/recording';

// Loaded on demand, after the map is usable.
const ParticipantPicker = lazy(() =>
  import('./ParticipantPicker').then((module) => ({ default: module.ParticipantPicker })),
);
const Recorder = lazy(() => import('../recording/Recorder').then((module) => ({ default: module.Recorder })));
const Player = lazy(() => import('./Player').then((module) => ({ default: module.Player })));

export function Playback() {
  const requested = requestedOverlay(new URLSearchParams(useSearch()));
  return requested && <WithoutPanels>{requested}</WithoutPanels>;
}

/** Hides the panels of the map while one of the overlays is open. */
function WithoutPanels({ children }: { children: ReactNode }) {
  useEffect(hidePanels, []);
  return <Suspense>{children}</Suspense>;
}

/** The overlay requested by the URL. */
function requestedOverlay(query: URLSearchParams): ReactNode {
  const picking = query.get('pick');
  const alias = query.get('alias');
  if (picking && alias !== null) {
    return (
      <ParticipantPicker
        key={`${picking}/${alias}`}
        processId={picking}
        alias={alias}
        back={query.get('back')}
      />
    );
  }
  const record = query.get('record');
  if (record !== null) return <Recorder suggestedName={suggestedName(record)} />;
  const playing = query.get('process');
  if (!playing) return null;
  const step = Number.parseInt(query.get('step') ?? '1', 10);
  return <Player key={playing} processId={playing} initialStep={Number.isFinite(step) ? step - 1 : 0} />;
}
