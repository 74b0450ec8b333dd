import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { environmentTable } from '#control-plane/config.ts'
import { mayReach } from '#egress/address.ts'
import { agentTable } from '#probe-agent/config.ts'
import { askHelm, kubernetesValidator, type Rendered } from '#test/support/helm.ts'
import { parseAll, readYaml } from './yaml.ts'

const chart = 'deploy/helm/vedette'
const examples = globSync(`${chart}/examples/*.yaml`).sort()

type Values = { [name: string]: unknown }
const Values = z.record(z.string(), z.unknown())
const isMap = (value: unknown): value is Values => Values.safeParse(value).success && !Array.isArray(value)
/** As Helm lays the values of a file over the defaults. */
const over = (defaults: Values, given: Values): Values =>
  Object.fromEntries(
    [...new Set([...Object.keys(defaults), ...Object.keys(given)])].map(name => {
      const [before, after] = [defaults[name], given[name]]
      return [name, isMap(before) && isMap(after) ? over(before, after) : name in given ? after : before]
    }),
  )
const defaults = Values.parse(readYaml(`${chart}/values.yaml`))
const given = (file: string) => Values.parse(readYaml(file))
const schema = JSON.parse(readFileSync(`${chart}/values.schema.json`, 'utf8'))
const isValid = new Ajv({ strictTypes: false }).compile(schema)

/** What the chart sets itself, and what is a secret. */
const ofChart = new Set(
  'PORT HOST METRICS_PORT METRICS_HOST BASE_URL INGEST_URL TEMPORAL_ADDRESS TEMPORAL_NAMESPACE WEB_FOLDER LOCALES_FOLDER PAGES_FOLDER DATA_DIR'.split(
    ' ',
  ),
)
const ofAgent = new Set(['VEDETTE_URL', 'REGION', 'DATA_DIR', 'AGENT_NAME', 'METRICS_PORT', 'METRICS_HOST'])
const secret = /PASSWORD$|SECRET|TOKEN|_KEY|^DATABASE_.*URL$|^CLICKHOUSE_URL$|^SMTP_URL$|^HEARTBEAT_URL$|OTLP_HEADERS$/

test('the settings that the values may name are those that exist, without secrets and without what the chart sets', () => {
  const namesOf = (definition: string) => schema.definitions[definition].propertyNames.enum
  const named = (table: readonly { name: string }[], own: ReadonlySet<string>) =>
    table.map(({ name }) => name).filter(name => !own.has(name) && !secret.test(name))
  expect(namesOf('settings')).toEqual(named(environmentTable, ofChart))
  expect(namesOf('agentSettings')).toEqual(named(agentTable, ofAgent))
})

describe('values', () => {
  const valid = { baseUrl: 'https://status.example.com' }

  test.each(examples)('%s is valid', file => {
    expect(isValid(over(defaults, given(file))), JSON.stringify(isValid.errors)).toBe(true)
  })

  test.each([
    ['an address without TLS', { baseUrl: 'http://status.example.com' }],
    ['a path in the address', { baseUrl: 'https://status.example.com/status' }],
    ['a password among the settings', { settings: { SECRET_KEY: 'x' } }],
    [
      'the address of a store with its password among the settings',
      { settings: { DATABASE_URL: 'postgres://a:b@c/d' } },
    ],
    ['a setting that does not exist', { settings: { NOT_A_SETTING: '1' } }],
    ['a setting of the chart itself', { settings: { PORT: '80' } }],
    ['a setting of a control plane for agents', { agent: { settings: { TRUSTED_PROXIES: '1' } } }],
    ['a setting of the chart for agents', { agent: { settings: { METRICS_PORT: '1' } } }],
    ['an ingress without a host', { ingress: { enabled: true } }],
    ['a name of the ingress that is an address', { ingress: { hosts: [{ host: 'https://a.example' }] } }],
    [
      'a name that leads to pages that are not there',
      { ingress: { hosts: [{ host: 'a.example', service: 'pages' }] } },
    ],
    ['a value that does not exist', { replicas: 3 }],
    ['no process', { api: { replicas: 0 } }],
    ['a region that agents refuse', { agents: [{ region: 'EU West', enrolmentSecret: 'a' }] }],
    [
      'several deciding processes with a cluster of ClickHouse',
      { ingest: { url: 'http://$(POD_NAME).vedette-ingest-pods:8080' }, settings: { CLICKHOUSE_CLUSTER: 'vedette' } },
    ],
    ['scaling of ingest without an address of each process', { autoscaling: { ingest: { enabled: true } } }],
    ['an address without TLS that agents do not accept', { agent: { url: 'http://vedette-ingest:8080' } }],
    ['a digest that is none', { image: { digest: 'sha256:abc' } }],
    ['a range that is none', { networkPolicies: { checked: ['10.0.0.1'] } }],
  ])('%s is refused, by Helm too', async (_, changed) => {
    expect(isValid(over(defaults, valid))).toBe(true)
    expect(isValid(over(defaults, { ...valid, ...changed }))).toBe(false)
    const [rendered] = await askHelm([{ do: 'render', chart, values: { ...valid, ...changed } }])
    expect(rendered?.errors).not.toEqual([])
  })

  test('the defaults are without a finding of the linter, and a release without an address is refused with a sentence', async () => {
    const [linted, rendered] = await askHelm([
      { do: 'lint', chart, values: {} },
      { do: 'render', chart, values: {} },
    ])
    expect(linted?.errors).toEqual([])
    expect(rendered?.errors.join()).toContain('baseUrl is not set')
  })
})

const Labels = z.record(z.string(), z.string())
const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) })
const Container = z.looseObject({
  name: z.string(),
  args: z.array(z.string()).default([]),
  env: z.array(z.looseObject({ name: z.string() })).default([]),
  envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }) })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  securityContext: z.unknown(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  startupProbe: Probe.optional(),
  resources: z.object({ requests: Labels, limits: Labels }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
})
const Pod = z.object({
  metadata: z.object({ labels: Labels, annotations: Labels.default({}) }),
  spec: z.looseObject({
    automountServiceAccountToken: z.boolean(),
    securityContext: z.unknown(),
    containers: z.array(Container),
    volumes: z.array(z.looseObject({ name: z.string() })).default([]),
  }),
})
/** A manifest as it is rendered. */
const Document = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})
/** A manifest as far as it is read here: with defaults for what it leaves out. */
const Manifest = Document.extend({
  metadata: z.looseObject({ name: z.string().max(63), labels: Labels, annotations: Labels.default({}) }),
  spec: z.looseObject({
    template: Pod.optional(),
    selector: z.unknown().optional(),
    podSelector: z.object({ matchLabels: Labels }).optional(),
    serviceName: z.string().optional(),
    jobTemplate: z.object({ spec: z.object({ template: Pod }) }).optional(),
    scaleTargetRef: z.object({ kind: z.string(), name: z.string() }).optional(),
    replicas: z.int().optional(),
    volumeClaimTemplates: z.array(z.looseObject({ metadata: z.object({ name: z.string() }) })).default([]),
  }),
})

/** The pod of a manifest, if it has one. */
const podOf = ({ spec }: Manifest) => spec.template ?? spec.jobTemplate?.spec.template
type Manifest = z.output<typeof Manifest>

const documentsOf = ({ errors, files }: Rendered): unknown[] => {
  expect(errors).toEqual([])
  return Object.entries(files ?? {})
    .filter(([name]) => !name.endsWith('.txt'))
    .flatMap(([, text]) => parseAll(text))
    .filter(Boolean)
}
const manifestsOf = (rendered: Rendered): Manifest[] => documentsOf(rendered).map(document => Manifest.parse(document))

async function render(values: Values, name = 'v'): Promise<Manifest[]> {
  const [rendered] = await askHelm([{ do: 'render', chart, values, name }])
  return manifestsOf(rendered!)
}

describe.each(examples.map(file => [basename(file, '.yaml'), file] as const))('rendered for %s', (_, file) => {
  let documents: z.output<typeof Document>[]
  let manifests: Manifest[]
  let linted: Rendered
  beforeAll(async () => {
    const values = given(file)
    const [lint, rendered] = await askHelm([
      { do: 'lint', chart, values },
      { do: 'render', chart, values },
    ])
    linted = lint!
    documents = documentsOf(rendered!).map(document => Document.parse(document))
    manifests = manifestsOf(rendered!)
  })

  test('it is without a finding of the linter', () => expect(linted.errors).toEqual([]))

  test.each(['v1.27.0', 'v1.31.0', 'v1.37.0'])('each manifest is one of Kubernetes %s', async version => {
    const problemsOf = await kubernetesValidator(version)
    expect(documents.length).toBeGreaterThan(10)
    const others = documents.filter(document => {
      const problems = problemsOf(document)
      if (problems) expect(problems, `${document.kind} ${document.metadata.name}`).toEqual([])
      return problems === undefined
    })
    for (const { kind } of others) expect(['PodMonitor', 'PrometheusRule']).toContain(kind)
  })

  test('no two manifests of a kind have one name', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test('each pod is not root, cannot write to its image, has limits, and probes that lead to its ports', () => {
    const pods = manifests.flatMap(manifest => {
      const pod = podOf(manifest)
      return pod ? [{ kind: manifest.kind, claims: manifest.spec.volumeClaimTemplates, pod }] : []
    })
    expect(pods.length).toBeGreaterThanOrEqual(3)
    for (const { kind, pod, claims } of pods) {
      expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 })
      expect(pod.spec.automountServiceAccountToken).toBe(false)
      const volumes = [...pod.spec.volumes.map(({ name }) => name), ...claims.map(({ metadata }) => metadata.name)]
      for (const container of pod.spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        for (const { name } of container.volumeMounts) expect(volumes, container.name).toContain(name)
        expect(new Set(container.env.map(({ name }) => name)).size, container.name).toBe(container.env.length)
        const known = new Set<string>([
          ...['POD_NAME', 'BACKUP_KEY', 'NODE_EXTRA_CA_CERTS'],
          ...[...environmentTable, ...agentTable].map(({ name }) => name),
        ])
        for (const { name } of container.env) expect([...known], container.name).toContain(name)
        if (kind === 'Job' || kind === 'CronJob') continue
        expect(pod.spec.topologySpreadConstraints, container.name).toHaveLength(2)
        for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
          expect(
            container.ports.map(({ name }) => name),
            container.name,
          ).toContain(probe?.httpGet.port)
          expect(['/healthz', '/readyz']).toContain(probe?.httpGet.path)
        }
      }
    }
  })

  test('each budget, service, policy and scaling leads to pods of the chart', () => {
    const pods = manifests.map(manifest => podOf(manifest)?.metadata.labels).filter(labels => labels !== undefined)
    const isFound = (labels: Record<string, string>) =>
      pods.some(pod => Object.entries(labels).every(([name, value]) => pod[name] === value))
    for (const { kind, metadata, spec } of manifests) {
      const selector = spec.podSelector ?? spec.selector
      const labels =
        Labels.safeParse(selector).data ?? z.object({ matchLabels: Labels }).safeParse(selector).data?.matchLabels
      if (labels) expect(isFound(labels), `${kind} ${metadata.name}`).toBe(true)
      if (!spec.scaleTargetRef) continue
      const target = manifests.find(
        found => found.kind === spec.scaleTargetRef?.kind && found.metadata.name === spec.scaleTargetRef.name,
      )
      expect(target, metadata.name).toBeDefined()
      // a number in both would be set back at each upgrade
      expect(target?.spec.replicas, metadata.name).toBeUndefined()
    }
  })

  test('each StatefulSet has a headless service of its name', () => {
    const services = manifests.filter(({ kind }) => kind === 'Service')
    const sets = manifests.filter(({ kind }) => kind === 'StatefulSet')
    for (const set of sets) {
      const { metadata, spec } = set
      const service = services.find(each => each.metadata.name === spec.serviceName)
      expect(service?.spec.clusterIP, metadata.name).toBe('None')
      expect(podOf(set)?.metadata.labels, metadata.name).toMatchObject(Labels.parse(service?.spec.selector))
    }
  })

  test('the owner of the database is known to the migration and the backup alone, and no secret is in a manifest', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([])
    for (const manifest of manifests)
      for (const { envFrom } of podOf(manifest)?.spec.containers ?? [])
        expect(envFrom.some(({ secretRef }) => secretRef.name === 'vedette-owner')).toBe(
          ['Job', 'CronJob'].includes(manifest.kind),
        )
  })

  test('the migration has the settings of the services: a cluster of ClickHouse is made for good', () => {
    const { settings = {} } = given(file)
    for (const manifest of manifests.filter(({ kind }) => kind === 'Job' || kind === 'Deployment'))
      for (const { env } of podOf(manifest)!.spec.containers)
        for (const [name, value] of Object.entries(Values.parse(settings)))
          expect(env, `${manifest.kind} ${manifest.metadata.name}`).toContainEqual({ name, value })
  })
})

describe('network policies', () => {
  const Rule = z.object({
    to: z
      .array(
        z.looseObject({ ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional() }),
      )
      .default([]),
    ports: z.array(z.object({ port: z.int() })).default([]),
  })
  const policies = async (values: Values) =>
    new Map(
      (await render({ baseUrl: 'https://status.example.com', ...values }))
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .map(manifest => [manifest.metadata.name, { ...manifest, egress: z.array(Rule).parse(manifest.spec.egress) }]),
    )
  const agents = [{ region: 'eu', enrolmentSecret: 'eu' }]

  test('let checks reach what the guard of checks does, and nothing private beside', async () => {
    const { parseRange, within, plainAddress } = await import('#egress/address.ts')
    const blocks = (await policies({ agents }))
      .get('v-agents')!
      .egress.flatMap(({ to }) => to.flatMap(each => each.ipBlock ?? []))
    const isOpen = (address: string) =>
      blocks.some(({ cidr, except }) => {
        const at = plainAddress(address)!
        const isIn = (range: string) => within(at, [parseRange(range)!])
        return isIn(cidr) && !except.some(isIn)
      })
    for (const address of ['1.1.1.1', '198.41.0.4', '2606:4700::1111']) expect(isOpen(address), address).toBe(true)
    const inside = [
      ...['0.1.2.3', '10.1.2.3', '100.64.0.1', '127.0.0.1', '168.63.129.16', '169.254.169.254', '172.16.0.1'],
      ...['192.0.0.8', '192.168.1.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
      ...['::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'ff02::1', '2001:db8::1', '2002:a00:1::1'],
    ]
    for (const address of inside) {
      expect(mayReach(address), address).toBe(false)
      expect(isOpen(address), address).toBe(false)
    }
  })

  test('except the very ranges that the guard refuses, for each part that may reach the internet', async () => {
    const { notPublic } = await import('#egress/address.ts')
    let reaching = 0
    for (const [name, { egress }] of await policies({ agents, pages: { enabled: true } })) {
      const blocks = egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
      const wide = blocks.filter(({ cidr }) => cidr === '0.0.0.0/0' || cidr === notPublic.v6.public)
      if (wide.length === 0) continue
      reaching++
      expect(wide, name).toEqual([
        { cidr: '0.0.0.0/0', except: notPublic.v4 },
        { cidr: notPublic.v6.public, except: notPublic.v6.except },
      ])
    }
    expect(reaching).toBeGreaterThan(3)
  })

  test("open what is named: pooler, relay, collector, checked ranges and rules of one's own, and no more", async () => {
    const found = await policies({
      agents,
      backup: { enabled: true },
      stores: { pooler: { enabled: true, cidr: '10.0.0.8/32', port: 6432 } },
      networkPolicies: {
        reach: [{ cidr: '10.0.0.25/32', port: 587 }, { cidr: '10.0.0.9/32' }],
        checked: ['10.9.0.0/16'],
        extraEgress: [{ to: [{ podSelector: {} }] }],
      },
    })
    const opens = (name: string, cidr: string, port?: number) =>
      found
        .get(name)!
        .egress.some(
          ({ to, ports }) =>
            to.some(({ ipBlock }) => ipBlock?.cidr === cidr) &&
            (port === undefined ? ports.length === 0 : ports.some(each => each.port === port)),
        )
    for (const name of ['v-api', 'v-ingest', 'v-worker']) {
      expect(opens(name, '10.0.0.8/32', 6_432), name).toBe(true)
      expect(opens(name, '10.0.0.25/32', 587), name).toBe(true)
      expect(opens(name, '10.0.0.9/32'), name).toBe(true)
      expect(opens(name, '10.9.0.0/16'), name).toBe(true)
    }
    expect(opens('v-agents', '10.9.0.0/16')).toBe(true)
    for (const name of ['v-agents', 'v-migration', 'v-backup']) {
      expect(opens(name, '10.0.0.25/32', 587), name).toBe(false)
      expect(found.get(name)!.egress, name).toContainEqual({ to: [{ podSelector: {} }], ports: [] })
    }
    const ports = (await policies({})).get('v-api')!.egress.flatMap(each => each.ports.map(({ port }) => port))
    expect(ports).not.toContain(6_432)
  })

  test('let agents reach the control plane by its service and by the ingress controller', async () => {
    const found = await policies({ agents })
    const targets = JSON.stringify(found.get('v-agents')!.spec.egress)
    expect(targets).toContain('"app.kubernetes.io/component":"ingest"')
    expect(targets).toContain('"kubernetes.io/metadata.name":"ingress-nginx"')
    expect(JSON.stringify(found.get('v-ingest')!.spec.ingress)).toContain('"vedette/part":"agent"')
  })

  test('of the migration is there before the migration', async () => {
    const found = await render({ baseUrl: 'https://status.example.com' })
    const weight = (kind: string) =>
      Number(
        found.find(each => each.kind === kind && each.metadata.name === 'v-migration')?.metadata.annotations[
          'helm.sh/hook-weight'
        ],
      )
    expect(weight('NetworkPolicy')).toBeLessThan(weight('Job'))
  })
})

test('names are cut to what Kubernetes takes, and stay apart', async () => {
  const region = (n: number) => `a-region-with-a-long-name-number-${n}`
  const manifests = await render(
    {
      baseUrl: 'https://status.example.com',
      agents: [1, 2].map(n => ({ region: region(n), enrolmentSecret: 'a' })),
    },
    'a-release-with-a-name-that-is-long',
  )
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  expect(new Set(names).size).toBe(names.length)
  // a StatefulSet's name is a label together with a hash
  for (const { kind, metadata } of manifests)
    if (kind === 'StatefulSet') expect(metadata.name.length).toBeLessThanOrEqual(52)
})

test('fullnameOverride and nameOverride name everything, and the pods keep the jobs that the rules know', async () => {
  const manifests = await render({
    baseUrl: 'https://status.example.com',
    ...{ fullnameOverride: 'status', nameOverride: 'monitoring', agents: [{ region: 'eu', enrolmentSecret: 'eu' }] },
    ...{ podLabels: { team: 'a' }, podAnnotations: { note: 'b' } },
  })
  for (const manifest of manifests) {
    expect(manifest.metadata.name).toMatch(/^status-/)
    expect(manifest.metadata.labels['app.kubernetes.io/name']).toBe('monitoring')
    const pod = podOf(manifest)
    if (pod) expect(pod.metadata.labels.team).toBe('a')
    if (!pod || manifest.kind === 'Job') continue
    const isAgent = manifest.metadata.name === 'status-agent-eu'
    expect(pod.metadata.labels['vedette/job']).toBe(isAgent ? 'vedette-agent' : 'vedette')
    expect(pod.metadata.labels['vedette/part']).toBe(isAgent ? 'agent' : undefined)
    expect(pod.metadata.annotations).toEqual({ note: 'b' })
  }
})

test('the rules of the chart are those of deploy/prometheus, under the jobs that its monitor gives', async () => {
  const manifests = await render({
    baseUrl: 'https://status.example.com',
    monitoring: { podMonitor: { enabled: true, interval: '15s', labels: {} }, prometheusRule: { enabled: true } },
  })
  const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')
  expect(rule?.spec.groups).toEqual(
    z.object({ groups: z.unknown() }).parse(readYaml('deploy/prometheus/rules.yaml')).groups,
  )
  expect(manifests.find(({ kind }) => kind === 'PodMonitor')?.spec.jobLabel).toBe('vedette/job')
})

test('an image is named by its digest where one is given', async () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const manifests = await render({ baseUrl: 'https://status.example.com', image: { digest, tag: 'ignored' } })
  for (const manifest of manifests)
    for (const { image } of podOf(manifest)?.spec.containers ?? []) expect(image).toBe(`vedette@${digest}`)
})

test('every page that the values name exists', () => {
  const text = readFileSync(`${chart}/values.yaml`, 'utf8') + readFileSync(`${chart}/templates/NOTES.txt`, 'utf8')
  const named = [...text.matchAll(/\b(?:docs|deploy)\/[\w./-]+\w/g)].map(([path]) => path)
  expect(named).toContain('docs/operate/kubernetes.md')
  for (const path of named) expect(globSync(path), path).toHaveLength(1)
})
