// A workspace of 1,000 components and about 5,400 relationships, the same in every run: like the packages of a
// distribution, each depends on some earlier ones, and a few libraries are needed by most.

const COUNT = 1_000;
const MAX_DEPENDENCIES = 8;
const MAX_TRIES = 14;
const TYPES = ['library', 'service', 'job', 'database', 'web-app'];
const STATES = ['live', 'live', 'live', 'deprecated', 'building'];

/** Numbers below a limit from a fixed seed. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** The workspace as the argument of a bulk request. */
export function generated() {
  const below = random(7);
  const id = (at) => `package-${String(at).padStart(4, '0')}`;
  const components = Array.from({ length: COUNT }, (_, at) => ({
    id: id(at),
    typeId: TYPES[at % TYPES.length],
    name: `Package ${at}`,
    description: `Generated package number ${at}`,
    x: (at % 40) * 300,
    y: Math.floor(at / 40) * 160,
    properties: { lifecycle: STATES[below(STATES.length)] },
  }));
  const relationships = components.flatMap((_, at) => {
    const targets = new Set();
    // Most need the first package, as most packages need the C library.
    if (at > 0 && below(100) < 74) targets.add(0);
    for (let more = below(MAX_TRIES); more > 0 && at > 0; more--) {
      // Earlier packages are needed more often.
      targets.add(Math.floor(at * (below(1_000) / 1_000) ** 2));
    }
    targets.delete(at);
    return [...targets].slice(0, MAX_DEPENDENCIES).map((target) => ({
      id: `r${at}-${target}`,
      sourceId: id(at),
      targetId: id(target),
      typeId: 'depends-on',
    }));
  });
  return { workspace: { name: 'Generated packages' }, components, relationships };
}
