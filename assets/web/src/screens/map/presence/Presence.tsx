export function Presence() {
  return null;
}
