export function Playback() {
  return null;
}
