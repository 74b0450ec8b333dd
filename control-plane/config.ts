import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseAllowList } from '#egress/address.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'Must be a postgres:// address.')

/** `Name <address>`, or an address alone. */
const mailbox = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/u

const Environment = z.object({
  DATABASE_URL: postgresUrl.describe('PostgreSQL as the service role, which owns nothing and is bound by row security'),
  DATABASE_PLATFORM_URL: postgresUrl.describe('PostgreSQL as the platform role: ingest, dispatch, token lookup'),
  CLICKHOUSE_URL: z.url().describe('ClickHouse over HTTP, with user, password and database'),
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
  SECRET_KEY: z.string().min(32).describe('At least 32 characters; signs agent tokens and encrypts stored secrets'),
  SECRET_KEY_PREVIOUS: z.string().min(32).optional().describe('The key before this one: still opens what it encrypted, encrypts nothing any more'),
  EGRESS_ALLOW: z.string().default('').describe('Comma list of CIDRs that may be reached although they are private; empty allows none'),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0).describe('How many proxies in front add to X-Forwarded-For'),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(text =>
      text
        .split(',')
        .map(origin => origin.trim())
        .filter(Boolean),
    )
    .refine(origins => origins.every(isOrigin), 'Must be a comma list of origins: https://dashboard.example.com, without a path.')
    .describe('Comma list of origins whose pages may call the API with a token, https://dashboard.example.com; empty allows none'),
  BREACHED_PASSWORDS: z.string().optional().describe('Folder of breached passwords as SHA-1 hashes: one sorted file, or a file a prefix of five digits'),
  BREACHED_PASSWORDS_URL: z.url().optional().describe('Range service asked for breached passwords; five digits of a hash leave, never a password'),
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
    .describe('The platform’s mail server, smtp://user:password@host:587 (STARTTLS) or smtps://…:465; without it mail is kept for the operator to read'),
  MAIL_FROM: z
    .string()
    .regex(mailbox, 'Must be an address, or a name and an address: Vedette <mail@example.com>.')
    .refine(text => z.email().safeParse(mailboxOf(text).address).success, 'Must hold one plain address.')
    .optional()
    .describe('In whose name the platform’s mail goes out; needed with SMTP_URL'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').describe('How much is logged'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(100).default(12).describe('Connections per process and role'),
})

export const environmentTable = Object.entries(Environment.shape).map(([name, schema]) => ({ name, description: schema.description ?? '' }))

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

export interface Config {
  databaseUrl: string
  platformUrl: string
  clickhouseUrl: string
  temporal: { address: string | undefined; namespace: string }
  host: string
  port: number
  metricsHost: string
  metricsPort: number
  baseUrl: string
  secretKey: string
  previousSecretKeys: readonly string[]
  egressAllow: string
  trustedProxies: number
  /** Origins whose pages may call the API with a token. */
  corsOrigins: readonly string[]
  logLevel: string
  poolSize: number
  /** Where PagerDuty and Telegram are reached, if not at their public addresses. */
  receivers?: { pagerduty: string; telegram: string }
  /** The platform’s own mail server. Without one, mail is kept where the operator can read it. */
  mail?: PlatformMail | undefined
  /** Lists of breached passwords to look into: a folder of files, a range service asked by k-anonymity. */
  breachedPasswords: { folder?: string | undefined; rangeUrl?: string | undefined }
}

/** Thrown with every wrong value at once, so that nobody mends one only to meet the next. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`The configuration is wrong:\n${problems.map(problem => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
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

/** The only reader of the environment in the control plane. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = []
  const parsed = Environment.safeParse(withFiles(environment, problems))
  if (!parsed.success) problems.push(...parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`))
  try {
    parseAllowList(environment.EGRESS_ALLOW ?? '')
  } catch (error) {
    problems.push(`EGRESS_ALLOW: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (parsed.data?.SMTP_URL && !parsed.data.MAIL_FROM) problems.push('MAIL_FROM: Is needed together with SMTP_URL.')
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  const env = parsed.data
  return {
    databaseUrl: env.DATABASE_URL,
    platformUrl: env.DATABASE_PLATFORM_URL,
    clickhouseUrl: env.CLICKHOUSE_URL,
    temporal: { address: env.TEMPORAL_ADDRESS, namespace: env.TEMPORAL_NAMESPACE },
    host: env.HOST,
    port: env.PORT,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    baseUrl: env.BASE_URL.replace(/\/$/, ''),
    secretKey: env.SECRET_KEY,
    previousSecretKeys: env.SECRET_KEY_PREVIOUS ? [env.SECRET_KEY_PREVIOUS] : [],
    receivers: { pagerduty: env.PAGERDUTY_URL.replace(/\/$/, ''), telegram: env.TELEGRAM_URL.replace(/\/$/, '') },
    breachedPasswords: { folder: env.BREACHED_PASSWORDS, rangeUrl: env.BREACHED_PASSWORDS_URL },
    mail: env.SMTP_URL && env.MAIL_FROM ? platformMail(env.SMTP_URL, env.MAIL_FROM) : undefined,
    egressAllow: env.EGRESS_ALLOW,
    trustedProxies: env.TRUSTED_PROXIES,
    corsOrigins: env.CORS_ORIGINS,
    logLevel: env.LOG_LEVEL,
    poolSize: env.DATABASE_POOL,
  }
}
