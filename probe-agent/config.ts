import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseServers, type Servers } from '#checks/domain-expiry/registries.ts'
import type { BrowserPlaces } from '#checks/lighthouse/parts.ts'
import { regionName } from '#contract/agent.ts'
import { ConfigError, problemsOf, type Setting, shownDefault } from '#contract/config-error.ts'
import { isSecureUrl } from '#contract/secure-url.ts'
import { issueMessage } from '#contract/validation-messages.ts'
import { type AllowList, parseAllowList } from '#egress/address.ts'
import { type DenyList, parseDenyList } from '#egress/deny.ts'

const anchorProtocols = ['http:', 'https:', 'tcp:']

const allowList = z.string().transform((text, context): AllowList => {
  try {
    return parseAllowList(text)
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error))
    return z.NEVER
  }
})

const denyList = z.string().transform((text, context): DenyList => {
  try {
    return parseDenyList(text)
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

/** A file with registry servers, which take precedence over those in the package. */
const registriesFile = z.string().transform((path, context): Servers => {
  try {
    return parseServers(readFileSync(path, 'utf8'))
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error))
    return z.NEVER
  }
})

/**
 * Where a fault test kills the agent: after the run, after appending its result, after the upload, after the response;
 * at the n-th time.
 */
export const killPoints = ['measure', 'append', 'send', 'ack'] as const
export type KillPoint = (typeof killPoints)[number]

const killAt = z
  .string()
  .regex(
    new RegExp(`^(${killPoints.join('|')})(:[1-9]\\d{0,6})?$`),
    `Must be one of ${killPoints.join(', ')}, with :n for the n-th time.`,
  )
  .transform(text => {
    const [point = '', count = '1'] = text.split(':')
    return { point: point as KillPoint, count: Number(count) }
  })

const isUnencrypted =
  'http:// would send tokens and the secrets of all monitors unencrypted. Use https://, or set ALLOW_INSECURE_URL=1 ' +
  'on a network you trust.'

const Environment = z.object({
  VEDETTE_URL: z.url({ protocol: /^https?$/ }),
  ALLOW_INSECURE_URL: z.enum(['0', '1']).default('0'),
  REGION: regionName,
  AGENT_NAME: z.string().min(1).max(100).optional(),
  ENROLMENT_TOKEN: z.string().max(200).optional(),
  DATA_DIR: z.string().min(1),
  EGRESS_ALLOW: allowList.prefault(''),
  EGRESS_DENY: denyList.prefault(''),
  ANCHORS: anchors.prefault(''),
  RESOLVER_CONTROL_NAME: z.string().max(253).optional(),
  REGISTRIES_FILE: registriesFile.optional(),
  RDAP_BOOTSTRAP_URL: z
    .union([z.literal('none'), z.url({ protocol: /^https?$/ })])
    .default('https://data.iana.org/rdap/dns.json'),
  CHROMIUM_PATH: z.string().max(1_000).optional(),
  CHROMIUM_SANDBOX: z.enum(['on', 'off']).default('on'),
  LIGHTHOUSE_PATH: z.string().max(1_000).optional(),
  SPOOL_MAX_BYTES: z.coerce.number().int().min(1_000_000).max(64_000_000_000).default(512_000_000),
  MAX_IN_FLIGHT: z.coerce.number().int().min(1).max(20_000).optional(),
  LAG_LIMIT_MS: z.coerce.number().int().min(100).max(60_000).default(1_000),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  METRICS_HOST: z.string().max(253).default('127.0.0.1'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  KILL_AT: killAt.optional(),
})

/** The settings of an agent; the first three are required. */
export const agentSettings = {
  VEDETTE_URL: { description: 'Where the control plane is', example: 'https://status.example.com' },
  REGION: {
    description: 'The region this agent checks from, in lower-case letters, digits and hyphens',
    example: 'eu-west',
  },
  DATA_DIR: {
    description: 'Folder for its identity and for unsent results',
    example: '/var/lib/vedette-agent',
  },
  ENROLMENT_TOKEN: {
    description: 'One-time token of `vedette agent-token create`, needed at the first start',
    example: 'ag-…',
  },
  AGENT_NAME: { description: 'Its name in lists; by default the region', example: 'berlin-1' },
  ALLOW_INSECURE_URL: {
    description: '1 accepts an http:// address of another machine: tokens and secrets are sent unencrypted',
    example: '1',
  },
  EGRESS_ALLOW: {
    description: 'Comma list of CIDRs and single ports that may be checked although they are private',
    example: '192.168.1.0/24,127.0.0.1:8081',
  },
  EGRESS_DENY: {
    description:
      'Comma list of ports of this machine, addresses, address:port and file:/path of such ports, never checked',
    example: '5432,10.0.0.5:8123',
  },
  ANCHORS: {
    description: 'Addresses it must reach to pass its self-check: http, https or tcp',
    example: 'https://example.com',
  },
  RESOLVER_CONTROL_NAME: { description: 'A name that its resolver must know', example: 'example.com' },
  REGISTRIES_FILE: {
    description: 'Registry servers of your own, lines of `rdap|whois server zone…`',
    example: '/etc/vedette/registries',
  },
  RDAP_BOOTSTRAP_URL: { description: 'List of RDAP servers; `none` keeps to the packaged one', example: 'none' },
  CHROMIUM_PATH: { description: 'Chromium for audits, where it is not found by itself', example: '/usr/bin/chromium' },
  CHROMIUM_SANDBOX: { description: 'on, or off in containers without user namespaces', example: 'on' },
  LIGHTHOUSE_PATH: {
    description: 'The folder whose node_modules holds Lighthouse, where it is not found by itself',
    example: '/opt/lighthouse',
  },
  SPOOL_MAX_BYTES: { description: 'Most bytes of unsent results on disk', example: '512000000' },
  MAX_IN_FLIGHT: { description: 'Most checks that run at a time', example: '1000' },
  LAG_LIMIT_MS: {
    description: 'A result is unreliable if the event loop was blocked for longer meanwhile',
    example: '1000',
  },
  METRICS_PORT: { description: 'Port of /metrics and /healthz; none without it', example: '9470' },
  METRICS_HOST: { description: 'Address /metrics listens on', example: '0.0.0.0' },
  LOG_LEVEL: { description: 'Lowest level that is logged', example: 'info' },
} as const satisfies Partial<Record<keyof z.input<typeof Environment>, Setting>>

/** Each setting with its default, for documentation. */
export const agentTable = Object.entries(agentSettings).map(([name, { description }]) => ({
  name,
  description,
  default: shownDefault(Environment.shape[name as keyof typeof agentSettings]),
}))

export interface AgentConfig {
  url: string
  /** Tokens and secrets are sent unencrypted, which the operator accepts. */
  isInsecure: boolean
  /** Whether an address that the control plane lists may be unencrypted. */
  mayBeInsecure: boolean
  region: string
  name: string
  /** Required once: afterwards the identity in `dataDir` is used. */
  enrolmentToken: string | undefined
  dataDir: string
  egressAllow: AllowList
  /** Never reached by a check, even if allowed. */
  egressDeny: DenyList
  /** Hosts chosen by the operator that are reachable whenever this region's network works. */
  anchors: URL[]
  /** A name that always resolves: it distinguishes a broken resolver from a deleted name. */
  resolverControlName: string | undefined
  /** The operator's registry servers, and where IANA publishes its list. */
  registries: { own: Servers | undefined; bootstrapUrl: string | undefined }
  /** Paths of Chromium and Lighthouse, for page audits. */
  browser: BrowserPlaces
  spoolMaxBytes: number
  /** Concurrent runs; by default as many as sockets and memory allow. */
  maxInFlight: number | undefined
  /** The result of a run during which the event loop was blocked for longer is no vote. */
  lagLimitMs: number
  metricsPort: number | undefined
  /** Default: 127.0.0.1. */
  metricsHost?: string | undefined
  logLevel: z.output<typeof Environment>['LOG_LEVEL']
  killAt: { point: KillPoint; count: number } | undefined
}

/** An empty variable counts as unset. */
export function readConfig(environment: Record<string, string | undefined>): AgentConfig {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const { data: env, error } = Environment.safeParse(given, { error: issueMessage })
  const problems = problemsOf(error?.issues ?? [], given, agentSettings)
  const isInsecure = /^http:/i.test(given.VEDETTE_URL ?? '') && !isSecureUrl(given.VEDETTE_URL ?? '')
  if (isInsecure && given.ALLOW_INSECURE_URL !== '1') problems.push(`VEDETTE_URL: ${isUnencrypted}`)
  if (!env || problems.length > 0) throw new ConfigError(problems)
  return {
    url: env.VEDETTE_URL.replace(/\/+$/, ''),
    isInsecure,
    mayBeInsecure: env.ALLOW_INSECURE_URL === '1',
    region: env.REGION,
    name: env.AGENT_NAME ?? env.REGION,
    enrolmentToken: env.ENROLMENT_TOKEN,
    dataDir: env.DATA_DIR,
    egressAllow: env.EGRESS_ALLOW,
    egressDeny: env.EGRESS_DENY,
    anchors: env.ANCHORS,
    resolverControlName: env.RESOLVER_CONTROL_NAME,
    registries: {
      own: env.REGISTRIES_FILE,
      bootstrapUrl: env.RDAP_BOOTSTRAP_URL === 'none' ? undefined : env.RDAP_BOOTSTRAP_URL,
    },
    browser: { chromium: env.CHROMIUM_PATH, lighthouse: env.LIGHTHOUSE_PATH, sandbox: env.CHROMIUM_SANDBOX === 'on' },
    spoolMaxBytes: env.SPOOL_MAX_BYTES,
    maxInFlight: env.MAX_IN_FLIGHT,
    lagLimitMs: env.LAG_LIMIT_MS,
    metricsPort: env.METRICS_PORT,
    metricsHost: env.METRICS_HOST,
    logLevel: env.LOG_LEVEL,
    killAt: env.KILL_AT,
  }
}
