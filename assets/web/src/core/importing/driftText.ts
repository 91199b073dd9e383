/** Findings of the drift report as text. */
import type { DriftFinding } from '@/api/generated';
import { fieldName, type Names, valueText } from './describe';

/** What differs: `name: “Pay” on the map, “Payments” in code`. Empty if the kind of finding says everything. */
export function findingText(finding: DriftFinding, names: Names): string {
  const { field, sourceValue, mapValue, otherSource, otherValue } = finding;
  if (field === undefined) return '';
  const own = valueText(field, sourceValue, names);
  if (finding.finding === 'sourcesDiffer') {
    return `${fieldName(field)}: ${own} in ${finding.source ?? 'one source'}, ${valueText(field, otherValue, names)} in ${otherSource ?? 'another'}`;
  }
  return `${fieldName(field)}: ${valueText(field, mapValue, names)} on the map, ${own} in code`;
}
