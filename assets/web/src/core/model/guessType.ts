/** Guesses the type of a component from its name: "orders db" is a database. */

/** Words that indicate a type, in addition to the name of the type. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  person: ['admin', 'customer', 'operator', 'user', 'visitor'],
  'web-app': ['website', 'webapp', 'frontend', 'storefront', 'portal', 'dashboard', 'ui', 'spa'],
  'mobile-app': ['mobile', 'ios', 'android'],
  'desktop-app': ['desktop'],
  service: ['svc', 'microservice', 'backend', 'server'],
  api: ['endpoint', 'graphql', 'grpc'],
  gateway: ['proxy', 'ingress', 'nginx', 'envoy', 'bff'],
  function: ['lambda', 'serverless'],
  job: ['cron', 'worker', 'scheduler', 'batch'],
  database: [
    'db',
    'rdbms',
    'postgres',
    'postgresql',
    'mysql',
    'mariadb',
    'mongodb',
    'mongo',
    'sqlite',
    'dynamodb',
    'cassandra',
    'oracle',
  ],
  cache: ['redis', 'memcached', 'varnish', 'cdn'],
  queue: ['sqs', 'rabbitmq', 'mq'],
  topic: ['kafka', 'sns', 'events', 'stream', 'pubsub'],
  storage: ['bucket', 's3', 'blob', 'files'],
  'search-index': ['elasticsearch', 'opensearch', 'solr', 'search'],
  'data-pipeline': ['etl', 'pipeline', 'airflow'],
  'ml-model': ['model', 'llm', 'ml'],
  library: ['sdk', 'lib', 'package'],
  'identity-provider': ['idp', 'sso', 'keycloak', 'okta', 'auth0'],
  network: ['vpc', 'subnet', 'dns', 'vpn'],
  host: ['vm', 'node'],
  cluster: ['kubernetes', 'k8s'],
  document: ['spec', 'runbook', 'doc'],
};

/**
 * The ID of the type indicated by the last meaningful word of a name, or undefined. The last word is the noun: a "Cache
 * service" is a service.
 */
export function guessType(name: string, types: readonly { id: string; name: string }[]): string | undefined {
  const words = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  for (let end = words.length; end > 0; end--) {
    const pair = words.slice(Math.max(0, end - 2), end).join(' ');
    const word = words[end - 1] as string;
    const found =
      types.find((type) => isNamed(type.name, pair)) ??
      types.find((type) => isNamed(type.name, word)) ??
      types.find(({ id }) => WORDS[id]?.some((one) => isNamed(one, word)));
    if (found) return found.id;
  }
  return undefined;
}

function isNamed(term: string, word: string): boolean {
  const wanted = term.toLowerCase();
  return (
    word === wanted || word === `${wanted}s` || (wanted.endsWith('y') && word === `${wanted.slice(0, -1)}ies`)
  );
}
