import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseServers, type Servers } from '#checks/domain-expiry/registries.ts'
import type { BrowserPlaces } from '#checks/lighthouse/parts.ts'
import { regionName } from '#contract/agent.ts'
import { type AllowList, parseAllowList } from '#egress/address.ts'

const anchorProtocols = ['http:', 'https:', 'tcp:']

const allowList = z.string().transform((text, context): AllowList => {
  try {
    return parseAllowList(text)
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error))
    return z.NEVER
  }
})

const anchors = z.string().transform((text, context) =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(entry => {
      const url = URL.parse(entry)
      if (!url || !anchorProtocols.includes(url.protocol) || !url.hostname || (url.protocol === 'tcp:' && !url.port))
        context.addIssue(`"${entry}" is not a http, https or tcp address.`)
      return url
    })
    .filter(url => url !== null),
)

/** A file of the operator's: registries' servers, which go before those the package knows. */
const registriesFile = z.string().transform((path, context): Servers => {
  try {
    return parseServers(readFileSync(path, 'utf8'))
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error))
    return z.NEVER
  }
})

/** Where a fault test kills the agent: after the look, after its append, after its upload, after the answer; at the n-th time. */
export const killPoints = ['measure', 'append', 'send', 'ack'] as const
export type KillPoint = (typeof killPoints)[number]

const killAt = z
  .string()
  .regex(new RegExp(`^(${killPoints.join('|')})(:[1-9]\\d{0,6})?$`), `Must be one of ${killPoints.join(', ')}, with :n for the n-th time.`)
  .transform(text => {
    const [point = '', count = '1'] = text.split(':')
    return { point: point as KillPoint, count: Number(count) }
  })

const Environment = z.object({
  VEDETTE_URL: z.url({ protocol: /^https?$/ }),
  REGION: regionName,
  AGENT_NAME: z.string().min(1).max(100).optional(),
  ENROLMENT_TOKEN: z.string().max(200).optional(),
  DATA_DIR: z.string().min(1),
  EGRESS_ALLOW: allowList.prefault(''),
  ANCHORS: anchors.prefault(''),
  RESOLVER_CONTROL_NAME: z.string().max(253).optional(),
  REGISTRIES_FILE: registriesFile.optional(),
  RDAP_BOOTSTRAP_URL: z.union([z.literal('none'), z.url({ protocol: /^https?$/ })]).default('https://data.iana.org/rdap/dns.json'),
  CHROMIUM_PATH: z.string().max(1_000).optional(),
  CHROMIUM_SANDBOX: z.enum(['on', 'off']).default('on'),
  LIGHTHOUSE_PATH: z.string().max(1_000).optional(),
  SPOOL_MAX_BYTES: z.coerce.number().int().min(1_000_000).max(64_000_000_000).default(512_000_000),
  MAX_IN_FLIGHT: z.coerce.number().int().min(1).max(20_000).optional(),
  LAG_LIMIT_MS: z.coerce.number().int().min(100).max(60_000).default(1_000),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  KILL_AT: killAt.optional(),
})

export interface AgentConfig {
  url: string
  region: string
  name: string
  /** Needed once: afterwards the identity in `dataDir` speaks for itself. */
  enrolmentToken: string | undefined
  dataDir: string
  egressAllow: AllowList
  /** Places of the operator's choice that answer whenever this region is well. */
  anchors: URL[]
  /** A name that always resolves: it tells an ill resolver from a name that is gone. */
  resolverControlName: string | undefined
  /** Who answers for domains: the operator's own servers, and where IANA publishes everybody's. */
  registries: { own: Servers | undefined; bootstrapUrl: string | undefined }
  /** Where Chromium and Lighthouse are, for those who audit pages. */
  browser: BrowserPlaces
  spoolMaxBytes: number
  /** Runs at once; as many as sockets and memory allow when left out. */
  maxInFlight: number | undefined
  /** A look during which the event loop stood still for longer does not vote. */
  lagLimitMs: number
  metricsPort: number | undefined
  logLevel: z.output<typeof Environment>['LOG_LEVEL']
  killAt: { point: KillPoint; count: number } | undefined
}

/** Everything that is wrong, in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`The configuration cannot be used:\n${problems.map(problem => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** An empty variable counts as one that is not set. */
export function readConfig(environment: Record<string, string | undefined>): AgentConfig {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const { data: env, error } = Environment.safeParse(given)
  if (error) throw new ConfigError(error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`))
  return {
    url: env.VEDETTE_URL.replace(/\/+$/, ''),
    region: env.REGION,
    name: env.AGENT_NAME ?? env.REGION,
    enrolmentToken: env.ENROLMENT_TOKEN,
    dataDir: env.DATA_DIR,
    egressAllow: env.EGRESS_ALLOW,
    anchors: env.ANCHORS,
    resolverControlName: env.RESOLVER_CONTROL_NAME,
    registries: { own: env.REGISTRIES_FILE, bootstrapUrl: env.RDAP_BOOTSTRAP_URL === 'none' ? undefined : env.RDAP_BOOTSTRAP_URL },
    browser: { chromium: env.CHROMIUM_PATH, lighthouse: env.LIGHTHOUSE_PATH, sandbox: env.CHROMIUM_SANDBOX === 'on' },
    spoolMaxBytes: env.SPOOL_MAX_BYTES,
    maxInFlight: env.MAX_IN_FLIGHT,
    lagLimitMs: env.LAG_LIMIT_MS,
    metricsPort: env.METRICS_PORT,
    logLevel: env.LOG_LEVEL,
    killAt: env.KILL_AT,
  }
}
