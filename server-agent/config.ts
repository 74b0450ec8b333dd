import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError, invalidSetting, missingSetting, type Setting } from '#contract/config-error.ts'
import { isSecureUrl } from '#contract/secure-url.ts'
import { serverLimits } from '#contract/server-agent.ts'

export interface Config {
  url: string
  /** The operator accepts that the token is sent unencrypted. */
  isInsecure: boolean
  token: string
  intervalS: number
  folder: string
  spoolBytes: number
  /** Names of interfaces, mounts and devices that are left out. */
  without: string[]
  isOnce: boolean
  prints: boolean
}

export const help = `vedette agent: reports the metrics of this server to your Vedette

  --url URL          address of Vedette                       VEDETTE_URL
  --token TOKEN      this server's token, am-…                VEDETTE_TOKEN, VEDETTE_TOKEN_FILE
  --interval N       seconds between two reports, 10 to 300   VEDETTE_INTERVAL      default 60
  --data DIR         folder for unsent reports                VEDETTE_DATA          default /var/lib/vedette-agent,
                                                                                    else ~/.vedette-agent
  --spool-mb N       most megabytes of them, 1 to 1000        VEDETTE_SPOOL_MB      default 20
  --without A,B      mounts, interfaces, devices to leave out VEDETTE_WITHOUT
  --insecure         send the token to an http:// address of another machine    ALLOW_INSECURE_URL=1
  --config FILE      lines of NAME=value, as above            VEDETTE_CONFIG
  --once             send one report, end
  --print            write the report to standard output and send nothing
  --help

A flag overrides the environment, the environment overrides the file. The agent sends metrics of this machine and the
names of its busiest programs, never their arguments, to that address and nowhere else.`

const options = {
  url: { type: 'string' },
  token: { type: 'string' },
  interval: { type: 'string' },
  data: { type: 'string' },
  'spool-mb': { type: 'string' },
  without: { type: 'string' },
  insecure: { type: 'boolean' },
  config: { type: 'string' },
  once: { type: 'boolean' },
  print: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const settings = {
  VEDETTE_URL: { description: 'Where Vedette is, or --url', example: 'https://status.example.com' },
  VEDETTE_TOKEN: { description: 'The token of this server, or --token, or VEDETTE_TOKEN_FILE', example: 'am-…' },
} as const satisfies Record<string, Setting>

/** The only place that reads the configuration. null: only help was requested. */
export function readConfig(
  args: readonly string[],
  environment: Record<string, string | undefined> = process.env,
): Config | null {
  const flags = parseFlags(args)
  if (flags.help) return null
  const file = readSettings(flags.config ?? environment.VEDETTE_CONFIG)
  const of = (flag: string | undefined, name: string) => flag ?? environment[name] ?? file[name]
  const prints = flags.print === true
  const url = of(flags.url, 'VEDETTE_URL') ?? ''
  const problems: string[] = []
  const demand = (name: keyof typeof settings, value: string, isGood: RegExp, message: string) => {
    if (prints || isGood.test(value)) return
    problems.push(value === '' ? missingSetting(name, settings[name]) : invalidSetting(name, message, settings[name]))
  }
  demand('VEDETTE_URL', url, /^https?:\/\/[^/\s]/, 'Must be an http:// or https:// address.')
  const isInsecure = !prints && /^http:/i.test(url) && !isSecureUrl(url)
  if (
    isInsecure &&
    !flags.insecure &&
    environment.ALLOW_INSECURE_URL !== '1' &&
    file.VEDETTE_ALLOW_INSECURE_URL !== '1'
  )
    problems.push(
      `${url} would receive the token unencrypted. Use https://, or --insecure or ALLOW_INSECURE_URL=1 on a network ` +
        'you trust.',
    )
  const tokenFile = of(undefined, 'VEDETTE_TOKEN_FILE')
  const token = (of(flags.token, 'VEDETTE_TOKEN') ?? (tokenFile === undefined ? '' : readText(tokenFile))).trim()
  demand('VEDETTE_TOKEN', token, /^am-[\w-]+$/, 'Must be the token of an agent monitor, which begins with am-.')
  if (problems.length > 0) throw new ConfigError(problems)
  const { min, max, default: usual } = serverLimits.intervalS
  return {
    url: url.replace(/\/+$/, ''),
    isInsecure,
    token,
    intervalS: whole(of(flags.interval, 'VEDETTE_INTERVAL') ?? String(usual), '--interval', min, max),
    folder:
      of(flags.data, 'VEDETTE_DATA') ??
      (process.getuid?.() === 0 ? '/var/lib/vedette-agent' : join(homedir(), '.vedette-agent')),
    spoolBytes: 1_000_000 * whole(of(flags['spool-mb'], 'VEDETTE_SPOOL_MB') ?? '20', '--spool-mb', 1, 1_000),
    without: (of(flags.without, 'VEDETTE_WITHOUT') ?? '')
      .split(',')
      .map(name => name.trim())
      .filter(Boolean),
    isOnce: flags.once === true,
    prints,
  }
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : 'The flags cannot be read.'])
  }
}

function whole(text: string, name: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text.trim()) || value < min || value > max)
    throw new ConfigError([invalidSetting(name, `Must be a whole number from ${min} to ${max}.`)])
  return value
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigError([`${path} cannot be read.`])
  }
}

/** Lines of NAME=value; a line that begins with # is a comment. */
function readSettings(path: string | undefined): Record<string, string> {
  if (path === undefined) return {}
  const pairs = readText(path)
    .split('\n')
    .map(line => /^\s*(VEDETTE_\w+)\s*=\s*(.*?)\s*$/.exec(line))
    .flatMap(found => (found?.[1] ? [[found[1], (found[2] ?? '').replace(/^"(.*)"$/, '$1')] as const] : []))
  return Object.fromEntries(pairs)
}
