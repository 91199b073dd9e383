// Answers computed from a workspace as REST returns it, to compare with those of the tools.

export class Model {
  /** `catalogue` says which end of a relationship depends on the other. */
  constructor(bundle, catalogue) {
    this.bundle = bundle;
    this.components = new Map(bundle.components.map((row) => [row.id, row]));
    this.dependencies = new Map();
    this.dependents = new Map();
    const dependsOn = new Map(catalogue.relationTypes.map((type) => [type.id, type.dependsOn]));
    const add = (map, from, to) => map.set(from, (map.get(from) ?? new Set()).add(to));
    for (const { sourceId, targetId, typeId } of bundle.relationships) {
      const side = dependsOn.get(typeId);
      if (side === 'none' || sourceId === targetId) continue;
      const [from, to] = side === 'source' ? [targetId, sourceId] : [sourceId, targetId];
      add(this.dependencies, from, to);
      add(this.dependents, to, from);
    }
  }

  /** The distance of everything that can be reached from a component, without the component. */
  reached(start, next) {
    const found = new Map([[start, 0]]);
    for (const [id, distance] of found)
      for (const other of next.get(id) ?? []) if (!found.has(other)) found.set(other, distance + 1);
    found.delete(start);
    return found;
  }

  /** The ids of the owners of a component. */
  owners(id) {
    const owners = this.bundle.stakeholders.filter((row) => row.componentId === id && row.linkType === 'owner');
    return owners.map((row) => row.personId ?? row.teamId).sort();
  }

  /** The group of a component. */
  parent(id) {
    return this.bundle.relationships.find((row) => row.typeId === 'contains' && row.targetId === id)?.sourceId;
  }
}
