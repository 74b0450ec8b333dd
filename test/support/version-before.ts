import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const git = async (...words: string[]) => (await run('git', words, { maxBuffer: 2 ** 26 })).stdout.trim()
const schemas = ['control-plane/db/migrations', 'analytics/schema']

/** The migrations of a commit, by name. */
const migrationsAt = async (commit: string) =>
  (await git('ls-tree', '-r', '--name-only', commit, ...schemas)).split('\n').filter(name => name.endsWith('.sql'))

const migrationsHere = async () =>
  (await Promise.all(schemas.map(async folder => (await readdir(folder)).map(name => join(folder, name)))))
    .flat()
    .filter(name => name.endsWith('.sql'))

/**
 * The last release, else the newest commit with another schema than these sources. Null where the history is not there:
 * in an archive of the sources, or a clone of the newest commit alone (`git fetch --unshallow` brings the rest).
 */
export async function commitBefore(): Promise<string | null> {
  const here = (await migrationsHere()).sort().join()
  const release = await git('describe', '--tags', '--abbrev=0', '--match', 'v*').catch(() => '')
  if (release !== '' && (await migrationsAt(release)).sort().join() !== here) return git('rev-parse', release)
  const commits = await git('rev-list', '-n', '500', 'HEAD', '--', ...schemas).catch(() => '')
  for (const commit of commits.split('\n').filter(Boolean))
    for (const each of [commit, `${commit}^`]) {
      const before = await migrationsAt(each).catch(() => null)
      if (before !== null && before.sort().join() !== here) return git('rev-parse', each)
    }
  return null
}

/** The sources of a commit in a folder, with the packages that they need. */
export async function checkOut(commit: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const archive = join(folder, 'sources.tar')
  await git('archive', '-o', archive, commit)
  await run('tar', ['-xf', archive, '-C', folder])
  const lockOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf('.')) return symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  const words = [
    'ci',
    '--omit=dev',
    '--workspaces=false',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ]
  await run('npm', words, { cwd: folder, timeout: 600_000, maxBuffer: 2 ** 26 })
}

/** A command of the version in a folder, as a process of its own. Its log comes with the error if it ends early. */
export class OtherVersion {
  readonly #child: ChildProcess
  #log = ''

  constructor(folder: string, words: readonly string[], env: Record<string, string>) {
    if (!existsSync(join(folder, 'cli/main.ts'))) throw new Error(`There is no version in ${folder}.`)
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'cli/main.ts', ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const output of [this.#child.stdout, this.#child.stderr])
      output?.on('data', (part: Buffer) => {
        this.#log = (this.#log + part.toString()).slice(-20_000)
      })
  }

  get log(): string {
    return this.#log
  }

  /** Throws if it has ended. */
  mustRun(): void {
    if (this.#child.exitCode !== null) throw new Error(`It ended with ${this.#child.exitCode}:\n${this.#log}`)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await ended
  }
}
