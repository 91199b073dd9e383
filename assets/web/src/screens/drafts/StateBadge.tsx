/** The state of a draft. */
import type { Draft } from '@/api/generated';
import { STATES } from '@/core/drafts/states';
import { Badge } from '@/ui/DataList';

export function StateBadge({ draft: { state } }: { draft: Pick<Draft, 'state'> }) {
  const { name, tone } = STATES[state];
  return <Badge tone={tone}>{name}</Badge>;
}
