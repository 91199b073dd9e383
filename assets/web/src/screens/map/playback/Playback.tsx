/** Process overlays of the map: the playback bar and the component picker. */
import { lazy, Suspense } from 'react';
import { useSearch } from 'wouter';

// Loaded on demand, after the map is usable.
const ParticipantPicker = lazy(() =>
  import('./ParticipantPicker').then((module) => ({ default: module.ParticipantPicker })),
);
const Player = lazy(() => import('./Player').then((module) => ({ default: module.Player })));

export function Playback() {
  return (
    <Suspense>
      <RequestedPlayback />
    </Suspense>
  );
}

/** Shows the overlay requested by the URL. */
function RequestedPlayback() {
  const query = new URLSearchParams(useSearch());
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
  const playing = query.get('process');
  if (!playing) return null;
  const step = Number.parseInt(query.get('step') ?? '1', 10);
  return <Player key={playing} processId={playing} initialStep={Number.isFinite(step) ? step - 1 : 0} />;
}
