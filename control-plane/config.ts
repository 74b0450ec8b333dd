import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { PriceList } from '#contract/billing.ts'
import { ConfigError, problemsOf, type Setting, shownDefault } from '#contract/config-error.ts'
import { issueMessage } from '#contract/validation-messages.ts'
import type { TracingConfig } from '#control-plane/base/opentelemetry.ts'
import { parseAllowList } from '#egress/address.ts'
import { denyEntryOf, parseDenyList } from '#egress/deny.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'Must be a postgres:// address.')
  .refine(
    url => URL.canParse(url) && !new URL(url).host.includes(','),
    'Must name one host, with a user name and password that are percent-encoded: of several servers a proxy or a ' +
      'virtual address leads to the one that leads.',
  )

/** `Name <address>`, or an address alone. */
const mailbox = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/u

const Environment = z.object({
  DATABASE_URL: postgresUrl.describe('PostgreSQL as the service role, which owns nothing and is bound by row security'),
  DATABASE_PLATFORM_URL: postgresUrl.describe('PostgreSQL as the platform role: ingest, dispatch, token lookup'),
  DATABASE_DIRECT_URL: postgresUrl
    .optional()
    .describe(
      'PostgreSQL as the platform role past a pooler in transaction mode, which the two addresses above then name: ' +
        'for notices between processes and the lock of the leading one',
    ),
  CLICKHOUSE_URL: z.url().describe('ClickHouse over HTTP, with user, password and database'),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'Must be letters, digits, underscores and hyphens.')
    .optional()
    .describe(
      'Name of the cluster in the configuration of the ClickHouse servers: tables are replicated, and distributed by ' +
        'tenant. For `vedette migrate` too; a database is made for one server or for a cluster',
    ),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^:]+:\d+$/, 'Must be host:port.')
    .optional()
    .describe('Temporal; without it life cycles wait in the outbox'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Namespace in Temporal'),
  PORT: port.default(8080).describe('Port of the API and of the agents'),
  HOST: z.string().default('0.0.0.0').describe('Address the API listens on'),
  METRICS_PORT: port.default(9464).describe('Port of /metrics, /healthz and /readyz, kept apart from the public one'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address /metrics listens on'),
  BASE_URL: z.url().default('http://localhost:8080').describe('How clients reach the API; no path'),
  HSTS: z
    .string()
    .regex(
      /^(off|max-age=\d{1,10}(; ?includeSubDomains)?(; ?preload)?)$/i,
      'Must be off, or max-age=SECONDS with includeSubDomains or preload after a semicolon.',
    )
    .default('max-age=31536000')
    .describe(
      'Strict-Transport-Security, sent where BASE_URL is https; off sends none. ' +
        'includeSubDomains binds every name below',
    ),
  INGEST_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'How agents reach this very process of the role ingest, http://ingest-0.ingest:8080: with it several such ' +
        'processes share the tenants; without it one decides and the others stand by',
    ),
  SECRET_KEY: z.string().min(32).describe('At least 32 characters; signs agent tokens and encrypts stored secrets'),
  SECRET_KEY_PREVIOUS: z
    .string()
    .refine(
      list => keysIn(list).every(key => key.length >= 32),
      'Must be a comma list of keys of at least 32 characters.',
    )
    .optional()
    .describe(
      'Comma list of earlier keys: they still open what they encrypted, until all of it is under the present one',
    ),
  EGRESS_ALLOW: z
    .string()
    .default('')
    .describe(
      'Comma list of what may be reached although it is private: ' +
        'CIDRs (192.168.1.0/24), single ports (127.0.0.1:8081); empty allows none',
    ),
  EGRESS_DENY: z
    .string()
    .default('')
    .describe(
      'Comma list of what is never reached, whatever is allowed: ' +
        'ports of this machine (5432), addresses (10.0.0.5), address:port, ' +
        'file:/path of ports of this machine, one a line, read again when it changes',
    ),
  TRUSTED_PROXIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(5)
    .default(0)
    .describe('How many proxies in front add to X-Forwarded-For'),
  CONNECTIONS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(256)
    .describe(
      'Connections that one address may hold; counted only without TRUSTED_PROXIES, behind which all have one address',
    ),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(text =>
      text
        .split(',')
        .map(origin => origin.trim())
        .filter(Boolean),
    )
    .refine(
      origins => origins.every(isOrigin),
      'Must be a comma list of origins: https://dashboard.example.com, without a path.',
    )
    .describe(
      'Comma list of origins whose pages may call the API with a token, https://dashboard.example.com; ' +
        'empty allows none',
    ),
  SIGN_UP: z
    .stringbool()
    .default(false)
    .describe('Whether people may sign up for teams of resellers who allow it in their portal (true, false)'),
  BREACHED_PASSWORDS: z
    .string()
    .optional()
    .describe('Folder of breached passwords as SHA-1 hashes: one sorted file, or a file a prefix of five digits'),
  BREACHED_PASSWORDS_URL: z
    .url()
    .optional()
    .describe('Range service asked for breached passwords; five digits of a hash leave, never a password'),
  PAGERDUTY_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://events.pagerduty.com')
    .describe('Where PagerDuty takes events; https://events.eu.pagerduty.com for accounts in the EU'),
  TELEGRAM_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.telegram.org')
    .describe('Where Telegram’s bot API is reached'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'Must be an smtp:// or smtps:// address.' })
    .refine(url => isMailServer(url), 'Must name a host, and its user name and password must be percent-encoded.')
    .optional()
    .describe(
      'The platform’s mail server, smtp://user:password@host:587 (STARTTLS) or smtps://…:465; ' +
        'without it mail is kept for the operator to read',
    ),
  MAIL_FROM: z
    .string()
    .regex(mailbox, 'Must be an address, or a name and an address: Vedette <mail@example.com>.')
    .refine(text => z.email().safeParse(mailboxOf(text).address).success, 'Must hold one plain address.')
    .optional()
    .describe('In whose name the platform’s mail goes out; needed with SMTP_URL'),
  BILLING_PRICES: z
    .string()
    .optional()
    .describe(
      'What plans cost, as a JSON list: [{"plan":"starter","interval":"month","currency":"eur","amount":1900}]; ' +
        'without it no plan is offered for payment',
    ),
  STRIPE_API_KEY: z
    .string()
    .regex(/^[\w-]{8,255}$/, 'Must be a secret key of Stripe.')
    .optional()
    .describe('Secret key of Stripe, which then collects payments; without it an operator marks invoices as paid'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .optional()
    .describe('Comma list of the signing secrets of the webhook at Stripe: two while one is replaced'),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.stripe.com')
    .describe('Where Stripe’s API is reached'),
  WEB_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of the built app in the browser, as `vedette build` prints it. Default: that of these sources'),
  LOCALES_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe('Folder with further languages, a folder each as in `locales/`; `vedette build` and the service read it'),
  PAGES_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for the last state of each status page, served while the stores fail; ' +
        'it has what private pages show, so only the service may read it. Without it, what is in memory is served',
    ),
  DATA_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('The data folder of `npm start`, which sets it: commands that the app shows name it'),
  PURGED_TEAMS_LIST: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File that the worker lists purged teams in, id and date, best where the backups are: ' +
        '`vedette restore` erases them again from a backup that is older',
    ),
  STATUS_INDEX: z
    .stringbool()
    .default(false)
    .describe('Whether /status lists public status pages, of teams that do not hide who runs them (true, false)'),
  TENANT_RATE: z.coerce
    .number()
    .int()
    .min(300)
    .max(1_000_000_000)
    .default(6_000)
    .describe('Requests a minute of all tokens of one tenant together, above the limits of each'),
  HEARTBEAT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'An address outside that is requested each minute while results are judged and notifications leave; ' +
        'the service behind it raises the alarm when the requests end',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Base address of a receiver of OpenTelemetry traces by OTLP over HTTP, http://localhost:4318; ' +
        'without it nothing is recorded',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default('')
    .refine(text => headersIn(text) !== undefined, 'Must be a comma list of name=value, percent-encoded.')
    .describe('Comma list of headers for that receiver, name=value, such as its key'),
  OTEL_SERVICE_NAME: z.string().min(1).max(100).default('vedette').describe('Name of the service in traces'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe('Share of traces that are recorded: 0 none, 1 all'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('How much is logged'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(100).default(12).describe('Connections per process and role'),
})

/** Headers as `name=value,name=value` with values that are percent-encoded; undefined where it is not such a list. */
function headersIn(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const entry of text.split(',').filter(part => part.trim() !== '')) {
    const [, name, value = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(entry) ?? []
    if (!name) return undefined
    try {
      headers[name] = decodeURIComponent(value)
    } catch {
      return undefined
    }
    if (!/^[\x20-\x7e]*$/.test(headers[name])) return undefined
  }
  return headers
}

const keysIn = (list: string) =>
  list
    .split(',')
    .map(key => key.trim())
    .filter(Boolean)

export const environmentTable = Object.entries(Environment.shape).map(([name, schema]) => ({
  name,
  description: schema.description ?? '',
  default: shownDefault(schema),
}))

const examples: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://vedette_app:…@localhost/vedette',
  DATABASE_PLATFORM_URL: 'postgres://vedette_platform:…@localhost/vedette',
  DATABASE_DIRECT_URL: 'postgres://vedette_platform:…@localhost:5432/vedette',
  CLICKHOUSE_URL: 'http://vedette:…@localhost:8123/vedette',
  TEMPORAL_ADDRESS: 'localhost:7233',
  PORT: '8080',
  METRICS_PORT: '9464',
  BASE_URL: 'https://status.example.com',
  SECRET_KEY: '$(openssl rand -base64 48)',
  TRUSTED_PROXIES: '1',
  HSTS: '"max-age=31536000; includeSubDomains"',
  SMTP_URL: 'smtp://user:password@mail.example.com:587',
  MAIL_FROM: '"Vedette <mail@example.com>"',
  LOG_LEVEL: 'info',
  DATABASE_POOL: '12',
}
const settings: Record<string, Setting> = Object.fromEntries(
  environmentTable.map(({ name, description }) => [name, { description, example: examples[name] ?? '' }]),
)

export interface PlatformMail {
  host: string
  port: number
  /** From the first byte; else after STARTTLS. */
  isTls: boolean
  username: string | null
  password: string | null
  from: { name: string | null; address: string }
}

function mailboxOf(text: string): PlatformMail['from'] {
  const [, name, address, alone] = mailbox.exec(text) ?? []
  return { name: name || null, address: address ?? alone ?? '' }
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text && !text.includes('*')
}

function isMailServer(url: string): boolean {
  try {
    return platformMail(url, '').host !== ''
  } catch {
    return false
  }
}

function platformMail(url: string, from: string): PlatformMail {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isTls = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isTls ? 465 : 587),
    isTls,
    username: username ? decodeURIComponent(username) : null,
    password: password ? decodeURIComponent(password) : null,
    from: mailboxOf(from),
  }
}

export interface BillingConfig {
  prices: PriceList
  /** Without it an operator marks invoices as paid. */
  stripe?: { apiKey: string; webhookSecrets: readonly string[]; apiUrl: string } | undefined
}

export interface Config {
  /** The receiver of traces. Without it nothing is recorded. */
  tracing?: TracingConfig | undefined
  databaseUrl: string
  platformUrl: string
  /** Past a pooler in transaction mode, which `databaseUrl` and `platformUrl` then name. */
  directUrl: string | undefined
  clickhouseUrl: string
  /** Name of the cluster of ClickHouse servers. */
  clickhouseCluster: string | undefined
  temporal: { address: string | undefined; namespace: string }
  host: string
  port: number
  metricsHost: string
  metricsPort: number
  baseUrl: string
  /** How agents reach this process of the role ingest. */
  ingestUrl?: string | undefined
  secretKey: string
  previousSecretKeys: readonly string[]
  egressAllow: string
  /** What no tenant may make us reach: what the operator lists, and our own ports and stores. */
  egressDeny: string
  trustedProxies: number
  /** Strict-Transport-Security; none where the service is not reached by https. */
  hsts?: string | null
  /** Where the built app in the browser is; by default, where `vedette build` puts it. */
  webFolder?: string | undefined
  /** Where the last state of each status page is kept. */
  pagesFolder?: string | undefined
  /** The data folder of `npm start`. */
  dataDir?: string | undefined
  /** The file that the worker lists purged teams in. */
  purgedTeamsList?: string | undefined
  /** Whether `/status` lists public status pages. Default: it does not. */
  statusIndex?: boolean
  /** Requests a minute of all tokens of one tenant together. */
  tenantRate: number
  /** Default: 256. */
  connectionsPerAddress?: number
  /** Origins whose pages may call the API with a token. */
  corsOrigins: readonly string[]
  /** Whether people may sign up through portals. */
  signUp: boolean
  /** Requested each minute while this installation works. */
  heartbeatUrl?: string | undefined
  logLevel: string
  poolSize: number
  /** How long an agent's access token lives; tests take seconds instead of ten minutes. */
  agentTokenLifeS?: number
  /** Where PagerDuty and Telegram are reached, if not at their public addresses. */
  receivers?: { pagerduty: string; telegram: string }
  /** The platform’s own mail server. Without one, mail is kept where the operator can read it. */
  mail?: PlatformMail | undefined
  /** What plans cost, and who collects it. Without it no plan is offered for payment. */
  billing?: BillingConfig | undefined
  /** Lists of breached passwords: a folder of files, a range service queried by k-anonymity. */
  breachedPasswords: { folder?: string | undefined; rangeUrl?: string | undefined }
}

/** `NAME_FILE` names a file that holds the value, as container platforms mount secrets. */
function withFiles(environment: NodeJS.ProcessEnv, problems: string[]): Record<string, string | undefined> {
  const values: Record<string, string | undefined> = { ...environment }
  for (const name of Object.keys(Environment.shape)) {
    const file = environment[`${name}_FILE`]
    if (!file || values[name]) continue
    try {
      values[name] = readFileSync(file, 'utf8').trim()
    } catch {
      problems.push(`${name}_FILE: cannot be read.`)
    }
  }
  return values
}

/** Where this process listens, and where its stores are. */
function ownPlaces(env: z.output<typeof Environment>): string[] {
  const listening = [env.PORT, env.METRICS_PORT].filter(number => number > 0).map(String)
  const [temporalHost = '', temporalPort] = env.TEMPORAL_ADDRESS?.split(':') ?? []
  const addresses = [
    ...[env.DATABASE_URL, env.DATABASE_PLATFORM_URL, env.DATABASE_DIRECT_URL, env.CLICKHOUSE_URL],
    env.OTEL_EXPORTER_OTLP_ENDPOINT,
  ]
  const stores = addresses
    .filter(text => text !== undefined)
    .map(text => {
      const { protocol, hostname, port: given } = new URL(text)
      return denyEntryOf(
        hostname,
        Number(given) || (protocol.startsWith('postgres') ? 5_432 : protocol === 'https:' ? 443 : 80),
      )
    })
  return [
    ...new Set([...listening, ...stores, temporalPort && denyEntryOf(temporalHost, Number(temporalPort))]),
  ].filter(entry => entry !== undefined)
}

export interface PagesConfig
  extends Pick<Config, 'host' | 'port' | 'baseUrl' | 'trustedProxies' | 'logLevel' | 'hsts'> {
  folder: string
}

/** The settings of a process that serves status pages from a folder and reaches no store. */
export function readPagesConfig(environment: NodeJS.ProcessEnv = process.env): PagesConfig {
  const problems: string[] = []
  const values = withFiles(environment, problems)
  const parsed = Environment.pick({
    HOST: true,
    PORT: true,
    BASE_URL: true,
    TRUSTED_PROXIES: true,
    LOG_LEVEL: true,
    HSTS: true,
    PAGES_FOLDER: true,
  })
    .required({ PAGES_FOLDER: true })
    .safeParse(values, { error: issueMessage })
  if (!parsed.success) problems.push(...problemsOf(parsed.error.issues, values, settings))
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  const env = parsed.data
  return {
    host: env.HOST,
    port: env.PORT,
    baseUrl: env.BASE_URL.replace(/\/$/, ''),
    trustedProxies: env.TRUSTED_PROXIES,
    logLevel: env.LOG_LEVEL,
    hsts: hstsOf(env),
    folder: env.PAGES_FOLDER,
  }
}

/** Sent only where clients reach the service by https. */
const hstsOf = ({ BASE_URL, HSTS }: Pick<z.output<typeof Environment>, 'BASE_URL' | 'HSTS'>) =>
  BASE_URL.startsWith('https:') && HSTS.toLowerCase() !== 'off' ? HSTS : null

const tracingOf = (env: z.output<typeof Environment>): TracingConfig | undefined =>
  env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? undefined
    : {
        endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: headersIn(env.OTEL_EXPORTER_OTLP_HEADERS) ?? {},
        serviceName: env.OTEL_SERVICE_NAME,
        ratio: env.OTEL_TRACES_SAMPLER_ARG,
      }

function billingOf(env: z.output<typeof Environment>, problems: string[]): BillingConfig | undefined {
  const { BILLING_PRICES: text, STRIPE_API_KEY: apiKey, STRIPE_WEBHOOK_SECRET: secrets } = env
  let given: unknown
  try {
    given = JSON.parse(text || '[]')
  } catch {
    problems.push('BILLING_PRICES: Must be JSON.')
    return undefined
  }
  const prices = PriceList.safeParse(given)
  if (!prices.success) {
    const [issue] = prices.error.issues
    problems.push(`BILLING_PRICES: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}`)
    return undefined
  }
  if (!apiKey) return prices.data.length > 0 ? { prices: prices.data } : undefined
  const webhookSecrets = keysIn(secrets ?? '')
  if (webhookSecrets.length === 0) problems.push('STRIPE_WEBHOOK_SECRET: Is needed together with STRIPE_API_KEY.')
  if (prices.data.some(({ stripe_price }) => stripe_price === undefined))
    problems.push('BILLING_PRICES: Each price needs its stripe_price together with STRIPE_API_KEY.')
  return { prices: prices.data, stripe: { apiKey, webhookSecrets, apiUrl: env.STRIPE_API_URL.replace(/\/$/, '') } }
}

/** The only reader of the environment in the control plane. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = []
  const values = withFiles(environment, problems)
  const parsed = Environment.safeParse(values, { error: issueMessage })
  if (!parsed.success) problems.push(...problemsOf(parsed.error.issues, values, settings))
  for (const [name, parseList] of [
    ['EGRESS_ALLOW', parseAllowList],
    ['EGRESS_DENY', parseDenyList],
  ] as const) {
    try {
      parseList(values[name] ?? '')
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const billing = parsed.data && billingOf(parsed.data, problems)
  if (parsed.data?.SMTP_URL && !parsed.data.MAIL_FROM) problems.push('MAIL_FROM: Is needed together with SMTP_URL.')
  // results are written in sequence there, and two processes would refuse each other's
  if (parsed.data?.INGEST_URL && parsed.data.CLICKHOUSE_CLUSTER)
    problems.push('INGEST_URL: Cannot be set together with CLICKHOUSE_CLUSTER yet.')
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  const env = parsed.data
  return {
    databaseUrl: env.DATABASE_URL,
    platformUrl: env.DATABASE_PLATFORM_URL,
    directUrl: env.DATABASE_DIRECT_URL,
    clickhouseUrl: env.CLICKHOUSE_URL,
    clickhouseCluster: env.CLICKHOUSE_CLUSTER,
    temporal: { address: env.TEMPORAL_ADDRESS, namespace: env.TEMPORAL_NAMESPACE },
    host: env.HOST,
    port: env.PORT,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    baseUrl: env.BASE_URL.replace(/\/$/, ''),
    ingestUrl: env.INGEST_URL?.replace(/\/$/, ''),
    secretKey: env.SECRET_KEY,
    previousSecretKeys: keysIn(env.SECRET_KEY_PREVIOUS ?? ''),
    receivers: { pagerduty: env.PAGERDUTY_URL.replace(/\/$/, ''), telegram: env.TELEGRAM_URL.replace(/\/$/, '') },
    breachedPasswords: { folder: env.BREACHED_PASSWORDS, rangeUrl: env.BREACHED_PASSWORDS_URL },
    mail: env.SMTP_URL && env.MAIL_FROM ? platformMail(env.SMTP_URL, env.MAIL_FROM) : undefined,
    billing,
    egressAllow: env.EGRESS_ALLOW,
    egressDeny: [env.EGRESS_DENY, ...ownPlaces(env)].filter(Boolean).join(','),
    trustedProxies: env.TRUSTED_PROXIES,
    hsts: hstsOf(env),
    webFolder: env.WEB_FOLDER,
    pagesFolder: env.PAGES_FOLDER,
    dataDir: env.DATA_DIR,
    purgedTeamsList: env.PURGED_TEAMS_LIST,
    statusIndex: env.STATUS_INDEX,
    tenantRate: env.TENANT_RATE,
    connectionsPerAddress: env.CONNECTIONS_PER_ADDRESS,
    corsOrigins: env.CORS_ORIGINS,
    signUp: env.SIGN_UP,
    heartbeatUrl: env.HEARTBEAT_URL,
    tracing: tracingOf(env),
    logLevel: env.LOG_LEVEL,
    poolSize: env.DATABASE_POOL,
  }
}
