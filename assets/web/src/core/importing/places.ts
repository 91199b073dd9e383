/** Places in files, and the identity of findings. */
import type { DriftFinding } from '@/api/generated';

/** A place in a file, as most tools write it. */
export function placeText(file: string, line: number): string {
  return line > 0 ? `${file}:${line}` : file;
}

/** Identifies a finding in its list. */
export function rowKeyOf({ finding, kind, id, key, source, field, otherSource }: DriftFinding): string {
  return JSON.stringify([finding, kind, id, key, source, field, otherSource]);
}
