export function Comparison() {
  return null;
}
