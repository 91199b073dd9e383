/** Toggles full screen for a presentation. The app bar is hidden in full screen. Leaving playback ends it. */
import { Maximize2, Minimize2 } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { IconButton } from '@/ui/Button';
import { showError } from '@/ui/Toasts';

export function FullScreenButton() {
  const isFull = useSyncExternalStore(subscribe, isFullScreen);
  useEffect(() => leaveFullScreen, []);
  // Some browsers, such as Safari on iPhone, support full screen only for videos.
  if (!document.fullscreenEnabled) return null;
  const toggle = () => {
    if (isFull) leaveFullScreen();
    else document.documentElement.requestFullscreen().catch(showError);
  };
  return (
    <IconButton
      label={isFull ? 'Exit full screen (Esc)' : 'Full screen'}
      icon={isFull ? <Minimize2 size={16} aria-hidden /> : <Maximize2 size={16} aria-hidden />}
      onClick={toggle}
    />
  );
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange);
  return () => document.removeEventListener('fullscreenchange', onChange);
}

function isFullScreen(): boolean {
  return document.fullscreenElement !== null;
}

function leaveFullScreen(): void {
  if (isFullScreen()) void document.exitFullscreen();
}
