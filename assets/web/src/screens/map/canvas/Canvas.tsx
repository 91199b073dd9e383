export function Canvas() {
  return null;
}
