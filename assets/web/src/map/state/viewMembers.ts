/** Who would be in a view with given rules. */

import type { Model } from '@/core/model/model';
import type { ViewDefinition } from '@/core/sync/viewRows';
import { resolveView } from '@/core/views/resolve';
import { useMemberships } from '@/workspace/memberships';

export function membersWith(model: Model): (definition: ViewDefinition) => ReadonlySet<string> {
  const { memberships } = useMemberships.getState();
  return (definition) => new Set(resolveView(definition, model, memberships).componentIds);
}
