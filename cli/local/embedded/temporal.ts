import { execFile, spawn } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { isExecutable } from '#checks/executable.ts'
import { StartFault } from '#cli/fault.ts'
import { cacheFolders } from '#cli/local/cache.ts'
import { answers, isTemporalServing } from '#cli/local/loopback.ts'
import type { Part } from '#cli/local/supervise.ts'
import { tenantAttribute } from '#workflows/config.ts'

const run = promisify(execFile)

/** The newest version that both the download and `go install` offer. */
const version = 'v1.5.1'
const module = `github.com/temporalio/cli/cmd/temporal@${version}`
const program = process.platform === 'win32' ? 'temporal.exe' : 'temporal'
const host = 'temporal.download'

export interface Obtained {
  path: string
  how: 'on PATH' | 'kept' | 'downloaded' | 'built'
}

interface Obtaining {
  env?: NodeJS.ProcessEnv
  /** Reports the progress. */
  onProgress?: (text: string) => void
  signal?: AbortSignal
}

/** Finds the `temporal` program on PATH or in the cache, else downloads it by the SDK, else builds it with Go. */
export async function obtainTemporal({
  env = process.env,
  onProgress = () => {},
  signal,
}: Obtaining = {}): Promise<Obtained> {
  const found = findTemporal(env)
  if (found) return found
  const bin = join(cacheFolders(env)[0] ?? tmpdir(), 'bin')
  mkdirSync(bin, { recursive: true })
  const tried: string[] = []
  const ways = [
    { how: 'downloaded', take: () => download(bin, onProgress, signal) },
    { how: 'built', take: () => build(bin, env, onProgress, signal) },
  ] as const
  for (const { how, take } of ways) {
    try {
      await take()
      return { path: join(bin, program), how }
    } catch (error) {
      signal?.throwIfAborted()
      tried.push(`${how}: ${firstLine(error)}`)
    }
  }
  throw new StartFault(
    'dependency',
    'the Temporal server could not be obtained',
    `It is not on PATH and not in ${bin}. Not ${tried.join('; not ')}.`,
    `install the Temporal CLI, so that "temporal" is on PATH: https://docs.temporal.io/cli`,
    `or install Go: ${module} is then built here`,
    'or use a server you have: TEMPORAL_ADDRESS=host:7233 npm start',
  )
}

/** The program, if it is installed or cached. */
export function findTemporal(env: NodeJS.ProcessEnv = process.env): Obtained | undefined {
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map(folder => join(folder, program))
    .find(isExecutable)
  if (onPath) return { path: onPath, how: 'on PATH' }
  const kept = cacheFolders(env)
    .map(folder => join(folder, 'bin', program))
    .find(isExecutable)
  return kept ? { path: kept, how: 'kept' } : undefined
}

export interface TemporalOptions {
  path: string
  dataFile: string | undefined
  port: number
  /** The port of its Web UI, which has no sign-in; left out, there is no Web UI. */
  uiPort?: number | undefined
}

/** The development server, which stores its data in one file. */
export const temporalPart = (
  { path, dataFile, port, uiPort }: TemporalOptions,
  env: Record<string, string | undefined>,
): Part => ({
  name: 'temporal',
  title: 'Temporal',
  command: path,
  args: [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    '--log-level',
    'error',
    '--search-attribute',
    `${tenantAttribute}=Keyword`,
    ...(dataFile ? ['--db-filename', dataFile] : []),
  ],
  env,
  stopSignal: 'SIGTERM',
  stage: 2,
  stopMs: 3_000,
  readyMs: 60_000,
  isReady: async () =>
    (await isTemporalServing(`127.0.0.1:${port}`)) &&
    (uiPort === undefined || (await answers(`http://127.0.0.1:${uiPort}/`)) !== undefined),
})

/** Downloads by the SDK in a process of its own, which can be killed when the network hangs. */
async function download(bin: string, onProgress: (text: string) => void, signal: AbortSignal | undefined) {
  await withinMs(3_000, lookup(host), `${host} is not known here`)
  onProgress(`downloading ${version} from ${host}`)
  const folder = mkdtempSync(join(tmpdir(), 'vedette-temporal-'))
  try {
    const { stdout } = await run(
      process.execPath,
      [join(import.meta.dirname, 'download-temporal.ts'), folder, version],
      { timeout: 180_000, signal },
    )
    keep(stdout.trim(), bin)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function build(
  bin: string,
  env: NodeJS.ProcessEnv,
  onProgress: (text: string) => void,
  signal: AbortSignal | undefined,
) {
  await run('go', ['version'], { env }).catch(() => {
    throw new Error('Go is not installed')
  })
  onProgress(`building ${version} with Go, about two minutes, once`)
  const folder = mkdtempSync(join(tmpdir(), 'vedette-temporal-'))
  try {
    await buildWith(env, folder, signal)
    keep(join(folder, program), bin)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const buildWith = (env: NodeJS.ProcessEnv, folder: string, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const go = spawn('go', ['install', module], {
      env: { ...env, GOBIN: folder, GOFLAGS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(signal && { signal }),
    })
    giveWay(go.pid)
    let words = ''
    go.stderr.on('data', chunk => (words = (words + chunk).slice(-4_000)))
    go.on('error', reject)
    go.on('close', code =>
      code === 0 ? resolve() : reject(new Error(words.trim().split('\n').at(-1) || `go install ended with ${code}`)),
    )
  })

/** Lowers the priority of the compiler, which would occupy every processor for minutes during the start. */
function giveWay(pid: number | undefined) {
  try {
    if (pid) setPriority(pid, 10)
  } catch {
    // another system may not let us
  }
}

/** Moves the complete program to its final name, also beside concurrent downloads. */
function keep(from: string, bin: string) {
  const draft = join(bin, `${program}.${process.pid}.draft`)
  copyFileSync(from, draft)
  chmodSync(draft, 0o755)
  renameSync(draft, join(bin, program))
}

async function withinMs<T>(ms: number, promise: Promise<T>, otherwise: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(otherwise)), ms)
  try {
    return await Promise.race([promise, late])
  } catch {
    throw new Error(otherwise)
  } finally {
    clearTimeout(timer)
  }
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0]
