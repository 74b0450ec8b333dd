import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { messageOf, StartFault } from '#cli/fault.ts'
import { cacheFolders } from './cache.ts'

const root = join(import.meta.dirname, '..', '..')
const packable = new Set(['.js', '.css', '.html', '.svg', '.json'])

/** What the build reads. A change of any of it makes another folder. */
const sources = ['web', 'charts', 'contract', 'locales', 'package-lock.json'] as const
/** Made by the type check, and read by it alone. */
const typesOfApi = join(root, 'web', 'api-types.d.ts')

/** The folder of the built app for this checkout; whether it exists or not. */
export function webFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.WEB_FOLDER) return env.WEB_FOLDER
  const hash = createHash('sha256')
  const further = env.LOCALES_FOLDER ? [env.LOCALES_FOLDER] : []
  for (const source of [...sources.map(each => join(root, each)), ...further])
    for (const file of filesOf(source).filter(file => file !== typesOfApi))
      hash.update(relative(root, file)).update(readFileSync(file))
  return join(cacheFolders(env)[0] ?? tmpdir(), `web-${hash.digest('hex').slice(0, 16)}`)
}

const filesOf = (path: string): string[] =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name))
        .sort()

/**
 * Builds the app once, with each file also compressed by Brotli and gzip, and returns its folder. The folder appears
 * as a whole: a build that is killed leaves nothing behind that could be served.
 */
export async function buildWeb(env: NodeJS.ProcessEnv = process.env): Promise<{ folder: string; isNew: boolean }> {
  const folder = webFolder(env)
  if (existsSync(join(folder, 'index.html'))) {
    utimesSync(folder, new Date(), new Date())
    return { folder, isNew: false }
  }
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  try {
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    await promisify(execFile)(process.execPath, [vite, 'build', 'web', '--outDir', draft, '--emptyOutDir'], {
      cwd: root,
      env: { ...env, NODE_ENV: 'production' },
    })
    await Promise.all(
      filesOf(draft)
        .filter(file => packable.has(extname(file)))
        .map(pack),
    )
    renameSync(draft, folder)
    if (!env.WEB_FOLDER) removeUnused(folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // another process may have been first
    if (existsSync(join(folder, 'index.html'))) return { folder, isNew: false }
    throw new StartFault('dependency', 'the app could not be built', messageOf(error), 'node cli/vedette.js build')
  }
  return { folder, isNew: true }
}

/** Deletes builds beside this one that no start has used for a week. A process that runs has read its build already. */
export function removeUnused(folder: string): void {
  const weekMs = 7 * 86_400_000
  for (const name of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), name)
    if (!/^web-[0-9a-f]{16}(-\w+)?$/.test(name) || name === basename(folder)) continue
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > weekMs)
      rmSync(path, { recursive: true, force: true })
  }
}

async function pack(file: string): Promise<void> {
  const bytes = readFileSync(file)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  writeFileSync(`${file}.br`, br)
  writeFileSync(`${file}.gz`, gz)
}
