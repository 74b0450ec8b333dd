import { execFile } from 'node:child_process'
import { promises as dns } from 'node:dns'
import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTransport } from 'nodemailer'
import { defaultChromium } from '#checks/lighthouse/parts.ts'
import { explain, messageOf } from '#cli/fault.ts'
import { findTemporal } from '#cli/local/embedded/temporal.ts'
import { auditPlaces } from '#cli/local/lighthouse.ts'
import { localFile } from '#cli/local/local.ts'
import { environmentOf } from '#cli/local/locked-folder.ts'
import { answers, isTemporalServing } from '#cli/local/loopback.ts'
import { refusePowerfulRole } from '#control-plane/db/migrate.ts'
import { alertFindings } from './doctor-alerts.ts'
import { certificateFindings, installationFindings } from './doctor-installation.ts'
import { either, type Finding, rowFindings } from './doctor-rows.ts'

/** Fails like any other promise where a program cannot be started: some errors of the system are thrown at once. */
const run = async (
  program: string,
  args: readonly string[],
  options: { timeout?: number; env?: NodeJS.ProcessEnv } = {},
) => promisify(execFile)(program, args, options)
const dayMs = 86_400_000

const marks = { bad: '--', optional: '..', good: 'ok' }
const weights = Object.keys(marks)

/** Prints findings, what is wrong first, and changes nothing. Returns 0 when all is well. */
export async function doctor(
  dataDir: string,
  { isJson }: { isJson: boolean },
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const running = env.DATABASE_URL ? undefined : environmentOf(dataDir)
  const environment = { ...env, ...running }
  const findings = [
    ...(await alertFindings(environment)),
    ...(await machine(dataDir)),
    ...(await audits(env)),
    ...(await resolver()),
    ...(await parts(dataDir, running)),
    ...(await service(environment)),
    ...(await certificateFindings(environment.BASE_URL)),
    ...(await installationFindings(environment)),
    ...(await rowFindings(environment)),
  ]
  findings.sort((a, b) => weights.indexOf(a.state) - weights.indexOf(b.state))
  if (isJson) console.log(JSON.stringify({ findings }))
  else for (const { title, state, words } of findings) console.log(`  ${marks[state]}  ${title.padEnd(16)} ${words}`)
  return findings.some(({ state }) => state === 'bad') ? 1 : 0
}

async function machine(dataDir: string): Promise<Finding[]> {
  const folder = existsSync(dataDir) ? dataDir : '.'
  const { bavail, bsize } = statfsSync(folder)
  const freeGb = (bavail * bsize) / 1e9
  const memoryGb = freemem() / 1e9
  const temporal = findTemporal()
  const ping = await pinged()
  return [
    {
      title: 'Node.js',
      state: either(Number(process.versions.node.split('.')[0]) >= 24),
      words: process.versions.node,
    },
    { title: 'Disk', state: either(freeGb > 2), words: `${freeGb.toFixed(1)} GB free where ${folder} lies` },
    ...growth(dataDir, freeGb),
    { title: 'Memory', state: either(memoryGb > 1), words: `${memoryGb.toFixed(1)} GB free` },
    {
      title: 'Temporal',
      state: temporal ? 'good' : 'optional',
      words: temporal ? `${temporal.path} (${temporal.how})` : 'not here yet: npm start obtains it',
    },
    { title: 'ping', ...ping },
  ]
}

/** Whether `ping` can be started and may send: loopback answers where anything does. */
async function pinged(): Promise<Pick<Finding, 'state' | 'words'>> {
  const off = (why: string, fix: string): Pick<Finding, 'state' | 'words'> => ({
    state: 'optional',
    words: `${why}: ping checks are off here. ${fix}`,
  })
  try {
    await run('ping', ['-n', '-c', '1', '-W', '2', '127.0.0.1'], { timeout: 5_000 })
    return { state: 'good', words: 'installed, and may send' }
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'ENOENT') return off('not found', 'Debian: apt-get install iputils-ping')
    if (code === 'EPERM')
      return off(
        'may not be started, as it has a capability that this process may not have',
        'Take it away: setcap -r "$(command -v ping)"; docs/operate/containers.md',
      )
    if (typeof code === 'string') return off(`cannot be started (${code})`, 'Is it a program, and may it be executed?')
    return off('may not send', "sysctl net.ipv4.ping_group_range='0 65535', or the capability NET_RAW")
  }
}

/** The average growth of data in a day, and how long the disk lasts at that rate. */
function growth(dataDir: string, freeGb: number): Finding[] {
  const born = statSync(join(dataDir, 'keys.json'), { throwIfNoEntry: false })?.birthtime
  if (!born) return []
  const usedGb = bytesIn(dataDir) / 1e9
  const days = (Date.now() - born.getTime()) / dayMs
  if (days < 1)
    return [
      {
        title: 'Growth',
        state: 'good',
        words: `${usedGb.toFixed(2)} GB of data; a day must pass before more can be said`,
      },
    ]
  const left = freeGb / (usedGb / days)
  const lasts = left > 3_650 ? 'ten years and more' : `${Math.round(left)} days`
  return [
    {
      title: 'Growth',
      state: either(left > 30),
      words: `${usedGb.toFixed(2)} GB of data in ${Math.round(days)} days: at that the disk lasts ${lasts}`,
    },
  ]
}

function bytesIn(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile())
      .reduce(
        (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
        0,
      )
  } catch {
    return 0 // a file went while it was counted
  }
}

async function audits(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { LIGHTHOUSE_PATH, CHROMIUM_PATH = defaultChromium() } = auditPlaces(env)
  const version =
    CHROMIUM_PATH &&
    (await run(CHROMIUM_PATH, ['--version'], { timeout: 20_000 }).then(({ stdout }) => stdout.trim(), messageOf))
  const asRoot =
    process.getuid?.() === 0 && env.CHROMIUM_SANDBOX !== 'off'
      ? '; agents of root need CHROMIUM_SANDBOX=off, in containers only'
      : ''
  return [
    {
      title: 'Lighthouse',
      state: LIGHTHOUSE_PATH ? 'good' : 'optional',
      words: LIGHTHOUSE_PATH ?? 'not here: pages are not audited. vedette lighthouse install',
    },
    {
      title: 'Chromium',
      state: !version ? 'optional' : either(/\d+\.\d+/.test(version)),
      words: version
        ? `${version} (${CHROMIUM_PATH})${asRoot}`
        : 'not found: apt-get install chromium, or vedette lighthouse install --with-browser',
    },
  ]
}

/** The address that every block list lists, for tests; a list that does not serve this resolver answers otherwise. */
const listed = '2.0.0.127.zen.spamhaus.org'

async function resolver(): Promise<Finding[]> {
  const asked = new dns.Resolver({ timeout: 2_000, tries: 1 })
  const servers = asked.getServers().join(', ')
  const found = await asked.resolve4(listed).catch(error => (error as { code?: string }).code ?? 'failed')
  const serves = Array.isArray(found) && found.some(address => address.startsWith('127.0.0.'))
  const why = Array.isArray(found) ? `the block list refuses it (${found.join(', ')})` : `it answered ${found}`
  return [
    {
      title: 'Block lists',
      state: serves ? 'good' : 'optional',
      words: serves
        ? `the resolver ${servers} may ask them`
        : `not by the resolver ${servers}: ${why}. dnsbl checks need a resolver of one's own, no public one`,
    },
  ]
}

async function parts(dataDir: string, environment: Record<string, string> | undefined): Promise<Finding[]> {
  if (!environment) return [{ title: 'Running', state: 'good', words: `nothing runs on ${dataDir}; npm start` }]
  const readiness = await answers(`http://127.0.0.1:${environment.METRICS_PORT}/readyz`)
  const isPrivate = [localFile(dataDir), join(dataDir, 'keys.json')].every(
    path => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600) % 0o100 === 0,
  )
  return [
    {
      title: 'Control plane',
      state: either(readiness?.status === 200),
      words: readiness ? describe(readiness.body) : 'does not answer',
    },
    {
      title: 'Temporal server',
      state: either(await isTemporalServing(environment.TEMPORAL_ADDRESS ?? '')),
      words: environment.TEMPORAL_ADDRESS ?? 'none',
    },
    {
      title: 'Secrets',
      state: either(isPrivate),
      words: isPrivate ? 'readable by their owner alone' : `chmod 600 ${dataDir}/keys.json ${dataDir}/local.json`,
    },
    { title: 'Data', state: 'good', words: `${dataDir}, made ${birthOf(dataDir)}` },
  ]
}

/** Findings about the service that the environment names or that runs on the data folder. */
async function service(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { DATABASE_URL, DATABASE_PLATFORM_URL, BASE_URL, SMTP_URL } = environment
  const found: Promise<Finding>[] = []
  for (const [title, url] of [
    ['Role of the API', DATABASE_URL],
    ['Platform role', DATABASE_PLATFORM_URL],
  ] as const)
    if (url)
      found.push(
        tried(title, () => refusePowerfulRole(url).then(() => `${new URL(url).username}, bound by row security`)),
      )
  if (BASE_URL) found.push(tried('BASE_URL', () => reach(BASE_URL)))
  if (SMTP_URL) found.push(tried('Mail server', () => greet(SMTP_URL)))
  else if (DATABASE_URL)
    found.push(
      Promise.resolve({
        title: 'Mail server',
        state: 'optional',
        words: 'none: mail is kept for the operator. SMTP_URL and MAIL_FROM let it leave',
      }),
    )
  return Promise.all(found)
}

const tried = (title: string, work: () => Promise<string>): Promise<Finding> =>
  work().then(
    words => ({ title, state: 'good', words }),
    error => ({ title, state: 'bad', words: whyOf(error) }),
  )

const whyOf = (error: unknown) => {
  const fault = explain(error)
  return fault ? [fault.message, fault.why].filter(Boolean).join(': ') : messageOf(error)
}

async function reach(url: string): Promise<string> {
  const response = await fetch(`${url.replace(/\/$/, '')}/healthz`, {
    signal: AbortSignal.timeout(5_000),
    redirect: 'manual',
  }).catch(error => {
    throw new Error(`${url} is not reached from here: ${messageOf((error as Error).cause ?? error)}`)
  })
  const body = await response.text()
  if (response.status !== 200 || !body.includes('alive'))
    throw new Error(`${url}/healthz answers ${response.status}, and not as Vedette does: what stands in front of it?`)
  return `${url} leads here`
}

/** Connects, and signs in where the address has a name; sends nothing. */
async function greet(url: string): Promise<string> {
  const { host } = new URL(url)
  const transport = createTransport({ url, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 })
  try {
    await transport.verify()
    return `${host} takes mail`
  } catch (error) {
    throw new Error(`${host}: ${messageOf(error)}`)
  } finally {
    transport.close()
  }
}

function describe(body: string) {
  try {
    const { status, parts } = JSON.parse(body) as {
      status: string
      parts: Record<string, { is_ready: boolean; why?: string }>
    }
    const unready = Object.entries(parts).filter(([, { is_ready }]) => !is_ready)
    return [status.replace('_', ' '), ...unready.map(([name, { why }]) => `${name} ${why}`)].join('; ')
  } catch {
    return body.slice(0, 100)
  }
}

const birthOf = (dataDir: string) =>
  existsSync(join(dataDir, 'keys.json'))
    ? statSync(join(dataDir, 'keys.json')).birthtime.toISOString().slice(0, 10)
    : 'now'
