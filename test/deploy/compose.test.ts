import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { heapFlags, youngMemory } from '#cli/program/heap-flags.js'
import { environmentTable } from '#control-plane/config.ts'
import { agentTable } from '#probe-agent/config.ts'
import { readYaml } from './yaml.ts'

const Environment = z.record(z.string(), z.string().nullable())
const Service = z.looseObject({
  image: z.string(),
  environment: Environment.default({}),
  ports: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  mem_limit: z.string().optional(),
  logging: z.object({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  network_mode: z.string().optional(),
})
const Compose = z.object({
  name: z.string(),
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() })).default({}),
  volumes: z.record(z.string(), z.unknown()),
})

const read = (file: string) => Compose.parse(stripped(readYaml(`deploy/${file}`)))
/** Without the parts that only name what others repeat. */
const stripped = (document: unknown) =>
  Object.fromEntries(
    Object.entries(z.record(z.string(), z.unknown()).parse(document)).filter(([name]) => !name.startsWith('x-')),
  )
const compose = read('compose.yaml')
const dev = read('compose.dev.yaml')
const { services } = compose
const text = readFileSync('deploy/compose.yaml', 'utf8')
const stores = ['postgres', 'clickhouse', 'temporal'] as const
const ours = Object.entries(services).filter(([, { image }]) => image.startsWith('${VEDETTE_'))
const settings = environmentTable.map(({ name }) => name)
const ofBackups = ['CLICKHOUSE_BACKUP_FOLDER', 'BACKUP_KEY']
const controlPlane = new Set([...settings, 'DATABASE_OWNER_URL', ...ofBackups])
const agent = new Set<string>(agentTable.map(({ name }) => name))

const Targets = z.looseObject({ static_configs: z.array(z.object({ targets: z.array(z.string()) })) })
const targetsOf = (configs: z.output<typeof Targets>[]) =>
  configs.flatMap(({ static_configs: each }) => each.flatMap(({ targets }) => targets))

test('the proxy alone publishes ports, and no store reaches or is reached from outside', () => {
  expect(Object.keys(services).filter(name => services[name]!.ports.length > 0)).toEqual(['proxy'])
  expect(compose.networks.stores).toEqual({ internal: true })
  for (const name of stores) expect(services[name]!.networks, name).toEqual(['stores'])
  for (const name of ['proxy', 'agent']) expect(services[name]!.networks, name).not.toContain('stores')
  for (const { network_mode: mode } of Object.values(services)) expect(mode).toBeUndefined()
})

test('no password, key or token has a default, and a start without one is refused', () => {
  const example = readFileSync('deploy/.env.example', 'utf8')
  expect(example.trim().split('\n')).toHaveLength(6)
  for (const line of example.trim().split('\n')) expect(line, 'has a value').toMatch(/^[A-Z_]+=$/)
  for (const [, name = '', fallback] of text.matchAll(/\$\{(\w+)(?::-([^}]*))?/g))
    if (/PASSWORD|KEY|TOKEN/.test(name)) expect(fallback, name).toBeUndefined()
  for (const name of ['SECRET_KEY', 'OWNER_PASSWORD', 'SERVICE_PASSWORD', 'DOMAIN'])
    expect(text, name).toContain(`\${${name}:?`)
  // each address names its password by a variable
  for (const [, password] of text.matchAll(/:\/\/\w+:([^@\s]+)@/g)) expect(password).toMatch(/^\$\{\w+(:\?[^}]*)?\}$/)
})

test('the variables of .env.example are those that compose.yaml reads', () => {
  const given = readFileSync('deploy/.env.example', 'utf8')
    .trim()
    .split('\n')
    .map(line => line.split('=')[0])
  const needed = new Set([...text.matchAll(/\$\{(\w+)(?!\w|:-)/g)].map(([, name]) => name))
  expect([...needed].sort()).toEqual(given.sort())
})

test.each([...ours, ...Object.entries(dev.services)])(
  '%s is hardened, and sets what its process reads',
  (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    expect(service.security_opt).toEqual(['no-new-privileges:true'])
    const known = service.image.includes('AGENT') ? agent : controlPlane
    for (const name of Object.keys(service.environment)) expect([...known], `${name} is no setting`).toContain(name)
  },
)

test('each role runs once, after the migration, and the owner of the database is known to the migration alone', () => {
  const roles = ours.flatMap(([, { command }]) => (command[0] === 'serve' ? [command[2]] : []))
  expect(roles.sort()).toEqual(['api', 'ingest', 'worker'])
  const owners = ours.filter(([, { environment }]) => 'DATABASE_OWNER_URL' in environment).map(([name]) => name)
  expect(owners).toEqual(['migrate', 'backup'])
})

/** Settings that an installation of compose.yaml has no use for: its own addresses, and what the image sets. */
const ofOthers = [
  ...['DATABASE_DIRECT_URL', 'CLICKHOUSE_CLUSTER', 'INGEST_URL', 'TEMPORAL_NAMESPACE', 'PORT', 'HOST', 'METRICS_PORT'],
  ...['WEB_FOLDER', 'LOCALES_FOLDER', 'DATA_DIR', 'PURGED_TEAMS_LIST'],
]

test('every other setting can be given in .env, the previous keys for a rotation among them', () => {
  const { api } = services
  for (const name of settings.filter(each => !ofOthers.includes(each)))
    expect(Object.keys(api!.environment), name).toContain(name)
})

test('each service has a limit of memory and a log that is cut', () => {
  for (const [name, { mem_limit: limit, logging }] of Object.entries(services)) {
    expect(limit, name).toMatch(/^(\d+[mg]|\$\{\w+:-\d+[mg]\})$/)
    expect(logging?.options['max-size'], name).toBeDefined()
  }
})

test('a backup is written each day into a volume that ClickHouse writes its part to', () => {
  const { backup, clickhouse } = services
  expect(backup!.command.slice(0, 2)).toEqual(['backup', '--into'])
  const [volume, folder] = backup!.volumes[0]!.split(':')
  expect(clickhouse!.volumes).toContain(`${volume}:${folder}`)
  expect(backup!.environment.CLICKHOUSE_BACKUP_FOLDER).toBe(folder)
  expect(backup!.command[2]).toBe(`${folder}/vedette`)
  const config = readFileSync('deploy/clickhouse/backups.xml', 'utf8')
  expect(config).toContain(`<backups><type>local</type><path>${folder}/</path></backups>`)
  expect(config).toContain('<allowed_disk>backups</allowed_disk>')
})

test('alerts leave: Prometheus has an Alertmanager, which has a receiver', () => {
  const { alerting, scrape_configs: scraped } = z
    .looseObject({
      alerting: z.object({ alertmanagers: z.array(Targets) }),
      scrape_configs: z.array(Targets),
    })
    .parse(readYaml('deploy/prometheus/prometheus.yaml'))
  const named = [...targetsOf(alerting.alertmanagers), ...targetsOf(scraped)].map(target => target.split(':')[0]!)
  for (const name of named.filter(each => each !== '127.0.0.1')) expect(Object.keys(services)).toContain(name)
  const { route, receivers } = z
    .looseObject({
      route: z.looseObject({ receiver: z.string() }),
      receivers: z.array(z.looseObject({ name: z.string() })),
    })
    .parse(readYaml('deploy/prometheus/alertmanager.yaml'))
  const receiver = receivers.find(({ name }) => name === route.receiver)
  expect(Object.keys(receiver ?? {}).length).toBeGreaterThan(1)
})

test('each volume that a service mounts is declared, and the reverse', () => {
  const mounted = Object.values(services).flatMap(({ volumes }) => volumes.map(volume => volume.split(':')[0]!))
  expect(new Set(mounted.filter(name => /^\w/.test(name)))).toEqual(new Set(Object.keys(compose.volumes)))
})

test('the proxy asks for certificates where the service answers', () => {
  const caddy = readFileSync('deploy/Caddyfile', 'utf8')
  const [, path] = /ask http:\/\/api:8080(\S+)/.exec(caddy) ?? []
  const { paths } = JSON.parse(readFileSync('contract/openapi.json', 'utf8')) as { paths: Record<string, unknown> }
  expect(Object.keys(paths)).toContain(path)
  expect(caddy).toContain('path /agent/v1/*')
})

test('every image is built from a base that can be replaced, is not root, and has a health check and labels', () => {
  const files = globSync('deploy/images/*.Containerfile')
  expect(files).toHaveLength(3)
  for (const file of files) {
    const lines = readFileSync(file, 'utf8')
    const last = lines.slice(lines.lastIndexOf('\nFROM '))
    expect(lines, file).toMatch(/^ARG (BASE|AGENT)=/m)
    expect(last.match(/^USER .*$/gm)?.at(-1), file).toBe('USER 10001:10001')
    expect(last, file).toContain('LABEL org.opencontainers.image.title=')
    // the third is made from the second
    if (!file.includes('lighthouse')) expect(last, file).toMatch(/^HEALTHCHECK /m)
    for (const [line] of lines.matchAll(/^RUN npm ci.*$/gm)) expect(line, file).toContain('--omit=dev')
  }
})

test('the images and the unit of an agent start Node with the flags that a checkout starts its processes with', () => {
  for (const [name, flags] of [
    ['control-plane', [youngMemory, ...heapFlags]],
    ['agent', heapFlags],
  ] as const) {
    const [, words = '[]'] =
      /^ENTRYPOINT (.*)$/m.exec(readFileSync(`deploy/images/${name}.Containerfile`, 'utf8')) ?? []
    expect(JSON.parse(words), name).toEqual(expect.arrayContaining([...flags]))
  }
  expect(readFileSync('deploy/systemd/vedette-agent.service', 'utf8')).toContain(` ${heapFlags.join(' ')} `)
})

test('the image with a browser brings the release of Lighthouse that the agent knows', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { peerDependencies: { lighthouse: string } }
  const file = readFileSync('deploy/images/agent-lighthouse.Containerfile', 'utf8')
  expect(/^ARG LIGHTHOUSE=(.*)$/m.exec(file)?.[1]).toBe(manifest.peerDependencies.lighthouse)
})

test('the units of systemd name settings that exist, and keep the rest of the machine from the service', () => {
  for (const file of globSync('deploy/systemd/*.service')) {
    const unit = readFileSync(file, 'utf8')
    for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'ProtectHome=yes', 'UMask=0077'])
      expect(unit, file).toContain(line)
    for (const [, name = ''] of unit.matchAll(/^Environment=(\w+)=/gm))
      expect([...agent, ...controlPlane, 'HOME', 'BACKUP_KEY_FILE'], file).toContain(name)
  }
})

test('each image of others has a tag that is not moved to another major version, and can be pinned by its digest in .env', () => {
  const others = Object.entries(services).filter(([, { image }]) => !image.startsWith('${VEDETTE_'))
  expect(others.length).toBeGreaterThan(7)
  const docs = readFileSync('docs/operate/containers.md', 'utf8')
  for (const [name, { image }] of others) {
    const [, variable = ''] = /^\$\{([A-Z_]+_IMAGE):-docker\.io\/[\w./-]+:v?\d[\w.]*\}$/.exec(image) ?? []
    expect(variable, `${name}: ${image}`).not.toBe('')
    expect(docs, name).toContain(`\`${variable}\``)
  }
})
