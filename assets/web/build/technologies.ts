/**
 * Generates `src/core/drawing/technologies.json`: the logos shown on components, and the names that match them. Run
 * `npm run technologies` after changing the list below or updating `simple-icons`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nameKey } from '../src/core/drawing/technologies.ts';

/** Slugs of `simple-icons`, by topic. At most 400. */
const SLUGS = `
  postgresql mysql mariadb sqlite mongodb redis apachecassandra scylladb cockroachlabs clickhouse duckdb
  elasticsearch opensearch elastic elasticstack kibana logstash apachesolr apachelucene neo4j influxdb
  timescale snowflake databricks googlebigquery googlebigtable googlecloudspanner apachecouchdb couchbase
  arangodb dgraph surrealdb h2database cratedb singlestore tidb vitess planetscale supabase firebase neon
  qdrant milvus meilisearch algolia trino presto apachehbase apachehive apachedruid apachedoris eventstore
  teradata victoriametrics hasura prisma etcd vespa convex

  apachekafka rabbitmq natsdotio apachepulsar apacherocketmq eclipsemosquitto mqtt hivemq celery socketdotio
  rsocket apachenifi apacheflink apachespark apachestorm apacheairflow apachehadoop apachearrow
  apacheparquet apacheavro airbyte prefect dask ray apachesuperset metabase looker redash qlik talend n8n
  camunda temporal zapier

  kubernetes docker podman containerd helm rancher k3s redhatopenshift istio linkerd cilium envoyproxy nginx
  haproxy traefikproxy caddy apache apachetomcat eclipsejetty kong consul vault hashicorp terraform opentofu
  pulumi ansible puppet saltproject packer vagrant nomad argo knative openfaas dapr fluentbit fluentd
  prometheus grafana jaeger datadog newrelic sentry splunk dynatrace graylog graphite netdata icinga
  pagerduty opsgenie openstack ceph minio proxmox vmware qemu openzfs truenas jfrog sonatype falco trivy
  googlecloud googlecloudstorage googledataflow googledataproc googlepubsub cloudflare cloudflareworkers
  cloudflarepages fastly akamai digitalocean hetzner ovh scaleway netlify vercel render railway flydotio
  cloudfoundry alibabacloud backblaze tailscale wireguard openvpn

  python nodedotjs javascript typescript go openjdk kotlin scala swift elixir erlang haskell clojure dart c
  cplusplus dotnet fsharp julia lua perl gnubash apachegroovy webassembly react svelte nextdotjs nuxt astro
  remix gatsby solid htmx jquery html5 css tailwindcss bootstrap storybook vite mobx electron ionic
  capacitor flutter django flask fastapi spring springboot quarkus laravel symfony rubyonrails express
  nestjs fastify graphql apollographql trpc phoenixframework deno bun gunicorn hibernate apachemaven gradle
  bazel cmake composer npm pnpm pypi rubygems nuget wordpress drupal ghost strapi contentful directus
  wikipedia wikidata shopify woocommerce bigcommerce

  auth0 okta fusionauth ory authentik authelia clerk openid jsonwebtokens webauthn bitwarden 1password
  openssl owasp snyk sonarqubeserver checkmarx

  github gitlab bitbucket gitea gerrit githubactions circleci teamcity buildkite tekton spinnaker renovate
  dependabot backstage jira confluence notion mattermost matrix telegram whatsapp stripe paypal adyen klarna
  braintree shopware hubspot zendesk intercom mailchimp brevo mailgun resend posthog mixpanel
  googleanalytics googletagmanager plausibleanalytics matomo sap odoo airtable dropbox googledrive

  apple ios linux ubuntu redhat centos almalinux alpinelinux suse freebsd openbsd raspberrypi homeassistant
  espressif nvidia arm cisco tensorflow pytorch keras scikitlearn pandas numpy jupyter mlflow huggingface
  ollama langchain anthropic claude googlegemini mistralai deepseek perplexity openrouter vllm onnx opencv
  apachekylin weightsandbiases modelcontextprotocol swagger openapiinitiative postman insomnia json yaml
  nextcloud discourse mapbox
`
  .trim()
  .split(/\s+/);

/** Aliases of technologies, by slug. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  apachecassandra: ['cassandra'],
  apachecouchdb: ['couchdb'],
  apachekafka: ['kafka'],
  apachepulsar: ['pulsar'],
  apacheflink: ['flink'],
  apachespark: ['spark', 'pyspark'],
  apachestorm: ['storm'],
  apacheairflow: ['airflow'],
  apachehadoop: ['hadoop', 'hdfs'],
  apachehbase: ['hbase'],
  apachehive: ['hive'],
  apachedruid: ['druid'],
  apachenifi: ['nifi'],
  apachesolr: ['solr'],
  apachelucene: ['lucene'],
  apachetomcat: ['tomcat'],
  apachesuperset: ['superset'],
  apachemaven: ['maven'],
  apache: ['httpd', 'apache httpd', 'apache http server'],
  apachegroovy: ['groovy'],
  argo: ['argo cd', 'argo workflows'],
  cockroachlabs: ['cockroachdb'],
  eclipsemosquitto: ['mosquitto'],
  eclipsejetty: ['jetty'],
  elasticstack: ['elk', 'elk stack'],
  envoyproxy: ['envoy'],
  gnubash: ['bash', 'shell'],
  go: ['golang'],
  googlecloud: ['gcp'],
  googlebigquery: ['bigquery'],
  googlecloudstorage: ['gcs'],
  googlepubsub: ['pubsub', 'pub/sub'],
  kubernetes: ['k8s'],
  natsdotio: ['nats', 'jetstream', 'nats jetstream'],
  nodedotjs: ['node', 'nodejs'],
  openjdk: ['java'],
  openapiinitiative: ['openapi'],
  postgresql: ['postgres', 'pgsql'],
  redhatopenshift: ['openshift'],
  rubyonrails: ['rails'],
  sonarqubeserver: ['sonarqube'],
  spring: ['spring framework'],
  timescale: ['timescaledb'],
  traefikproxy: ['traefik'],
  huggingface: ['hugging face transformers'],
  html5: ['html'],
  express: ['express.js', 'expressjs'],
  openstack: ['openstack swift', 'swift object storage'],
  wikipedia: ['mediawiki'],
  dotnet: ['c#', 'csharp', 'asp.net', 'asp.net core', '.net core'],
};

/**
 * The package has the license CC0, but some owners license their logos separately. The licenses below require no
 * attribution next to the logo. Logos under CC BY and similar licenses (PHP, Rust, Jenkins …) are excluded.
 */
const ALLOWED = new Set([undefined, 'CC0-1.0', 'MIT', 'Apache-2.0', 'BSD-3-Clause']);

const MAX_LOGOS = 400;

const SOURCE = new URL('../node_modules/simple-icons/', import.meta.url);

interface Source {
  title: string;
  slug: string;
  license?: { type: string };
  aliases?: { aka?: string[]; dup?: { title: string }[]; old?: string[] };
}

/** The content of the generated file. */
export function technologies(): string {
  const sources: Source[] = JSON.parse(readFileSync(new URL('data/simple-icons.json', SOURCE), 'utf8'));
  const bySlug = new Map(sources.map((source) => [source.slug, source]));
  if (SLUGS.length > MAX_LOGOS)
    throw new Error(`${SLUGS.length} logos, but at most ${MAX_LOGOS} are allowed.`);
  const entries = SLUGS.map((slug) => {
    const source = bySlug.get(slug);
    if (!source) throw new Error(`simple-icons has no icon ${slug}.`);
    if (!ALLOWED.has(source.license?.type))
      throw new Error(`The icon ${slug} is under ${source.license?.type}.`);
    return source;
  });
  const taken = new Set<string>();
  const logos = entries.map(({ slug, title, aliases }) => {
    const names = [title, slug, ...(ALIASES[slug] ?? []), ...(aliases?.aka ?? [])].map(nameKey);
    const own = [...new Set(names)].filter((name) => name && !taken.has(name));
    for (const name of own) taken.add(name);
    const svg = readFileSync(new URL(`icons/${slug}.svg`, SOURCE), 'utf8');
    const path = /<path d="([^"]+)"/.exec(svg)?.[1];
    if (!path) throw new Error(`The icon ${slug} has no path.`);
    return `  ${JSON.stringify(slug)}: ${JSON.stringify({ title, names: own, path })}`;
  });
  return `{\n${logos.join(',\n')}\n}\n`;
}

export const TECHNOLOGIES_FILE = fileURLToPath(
  new URL('../src/core/drawing/technologies.json', import.meta.url),
);

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TECHNOLOGIES_FILE, technologies());
