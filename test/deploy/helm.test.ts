import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { environmentTable } from '#control-plane/config.ts'
import { agentTable } from '#probe-agent/config.ts'
import { parseAll, readYaml } from './yaml.ts'

const chart = 'deploy/helm/vedette'
const examples = globSync(`${chart}/examples/*.yaml`)
const run = promisify(execFile)
const kubernetes = ['--kube-version', '1.31.0']

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
const valuesOf = (file: string) => over(defaults, Values.parse(readYaml(file)))
const isValid = new Ajv().compile(JSON.parse(readFileSync(`${chart}/values.schema.json`, 'utf8')))

describe('values', () => {
  test.each(examples)('%s is valid, and names settings that exist', file => {
    expect(isValid(valuesOf(file)), JSON.stringify(isValid.errors)).toBe(true)
    const { settings, agent } = z
      .object({
        settings: z.record(z.string(), z.string()),
        agent: z.object({ settings: z.record(z.string(), z.string()) }),
      })
      .parse(valuesOf(file))
    for (const name of Object.keys(settings))
      expect(
        environmentTable.map(({ name }) => name),
        file,
      ).toContain(name)
    for (const name of Object.keys(agent.settings))
      expect(
        agentTable.map(({ name }) => String(name)),
        file,
      ).toContain(name)
  })

  test.each([
    ['an address without TLS', { baseUrl: 'http://status.example.com' }],
    ['a path in the address', { baseUrl: 'https://status.example.com/status' }],
    ['a password among the settings', { settings: { SECRET_KEY: 'x' } }],
    [
      'the address of a store with its password among the settings',
      { settings: { DATABASE_URL: 'postgres://a:b@c/d' } },
    ],
    ['an ingress without a host', { ingress: { enabled: true } }],
    ['a value that does not exist', { replicas: 3 }],
    ['no process', { api: { replicas: 0 } }],
    ['a region that agents refuse', { agents: [{ region: 'EU West', enrolmentSecret: 'a' }] }],
  ])('%s is refused', (_, given) => {
    const valid = { baseUrl: 'https://status.example.com' }
    expect(isValid(over(defaults, valid))).toBe(true)
    expect(isValid(over(defaults, { ...valid, ...given }))).toBe(false)
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
  metadata: z.object({ labels: Labels }),
  spec: z.looseObject({
    automountServiceAccountToken: z.boolean(),
    securityContext: z.unknown(),
    containers: z.array(Container),
    volumes: z.array(z.looseObject({ name: z.string() })).default([]),
  }),
})
const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string().max(63), labels: Labels }),
  spec: z.looseObject({
    template: Pod.optional(),
    selector: z.unknown().optional(),
    podSelector: z.object({ matchLabels: Labels }).optional(),
    scaleTargetRef: z.object({ kind: z.string(), name: z.string() }).optional(),
    replicas: z.int().optional(),
    volumeClaimTemplates: z.array(z.looseObject({ metadata: z.object({ name: z.string() }) })).default([]),
  }),
})

const helm = await run('helm', ['version', '--short']).then(
  () => true,
  () => false,
)
const typed = 'helm is not installed: go install helm.sh/helm/v3/cmd/helm@v3.18.4'

describe.each(examples.map(file => [basename(file, '.yaml'), file] as const))('rendered for %s', (_, file) => {
  const rendered = async () => {
    const { stdout } = await run('helm', ['template', 'v', chart, '--values', file, ...kubernetes])
    return parseAll(stdout)
      .filter(Boolean)
      .map(manifest => Manifest.parse(manifest))
  }

  test('it is without a finding of the linter', async context => {
    if (!helm) return context.skip(typed)
    await run('helm', ['lint', chart, '--strict', '--values', file, ...kubernetes])
  })

  test('each pod is not root, cannot write to its image, has limits, and probes that lead to its ports', async context => {
    if (!helm) return context.skip(typed)
    const pods = (await rendered()).flatMap(({ kind, spec }) =>
      spec.template ? [{ kind, ...spec, pod: spec.template }] : [],
    )
    expect(pods.length).toBeGreaterThanOrEqual(3)
    for (const { kind, pod, volumeClaimTemplates: claims } of pods) {
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
        if (kind === 'Job') continue
        const { startupProbe, livenessProbe, readinessProbe } = container
        if (container.name !== 'agent') expect(readinessProbe, container.name).toBeDefined()
        for (const probe of [startupProbe, livenessProbe, readinessProbe ?? startupProbe]) {
          expect(
            container.ports.map(({ name }) => name),
            container.name,
          ).toContain(probe?.httpGet.port)
          expect(['/healthz', '/readyz']).toContain(probe?.httpGet.path)
        }
        const known = new Set<string>(['POD_NAME', ...[...environmentTable, ...agentTable].map(({ name }) => name)])
        for (const { name } of container.env) expect([...known], container.name).toContain(name)
      }
    }
  })

  test('each budget, service, policy and scaling leads to pods of the chart', async context => {
    if (!helm) return context.skip(typed)
    const manifests = await rendered()
    const pods = manifests.flatMap(({ spec }) => (spec.template ? [spec.template.metadata.labels] : []))
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

  test('the owner of the database is known to the migration alone, and no secret is in a manifest', async context => {
    if (!helm) return context.skip(typed)
    const manifests = await rendered()
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([])
    for (const { kind, spec } of manifests)
      for (const { envFrom } of spec.template?.spec.containers ?? [])
        expect(envFrom.some(({ secretRef }) => secretRef.name === 'vedette-owner')).toBe(kind === 'Job')
  })
})
