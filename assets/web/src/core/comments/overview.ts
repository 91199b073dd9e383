/** The counts of comments by what they are about. */
import type { AnchorCounts, CommentOverview, NewAnchor } from '@/api/generated';

export type AnchorKind = AnchorCounts['type'];

/** The counts of one anchor; undefined without threads. */
export function countsOf(
  overview: Pick<CommentOverview, 'anchors'> | undefined,
  type: AnchorKind,
  id?: string,
): AnchorCounts | undefined {
  return overview?.anchors.find((anchor) => anchor.type === type && anchor.id === id);
}

/** Anchors of a type with open threads, by ID. */
export function openAnchors(
  overview: Pick<CommentOverview, 'anchors'> | undefined,
  type: AnchorKind,
): Map<string, AnchorCounts> {
  const open = overview?.anchors.filter((anchor) => anchor.type === type && anchor.open > 0) ?? [];
  return new Map(open.map((anchor) => [anchor.id ?? '', anchor]));
}

/** The text of a mark, such as "2 open comments, 1 says that the map is wrong". */
export function describeCounts({ open, inaccurate }: Pick<AnchorCounts, 'open' | 'inaccurate'>): string {
  const comments = open === 1 ? '1 open comment' : `${open.toLocaleString('en')} open comments`;
  if (inaccurate === 0) return comments;
  return `${comments}, ${inaccurate === 1 ? '1 says' : `${inaccurate.toLocaleString('en')} say`} that the map is wrong`;
}

/** Whether two anchors are the same thing; points and steps of it are not distinguished. */
export function isSameAnchor(a: Pick<NewAnchor, 'type' | 'id'>, b: Pick<NewAnchor, 'type' | 'id'>): boolean {
  return a.type === b.type && (a.id ?? '') === (b.id ?? '');
}
