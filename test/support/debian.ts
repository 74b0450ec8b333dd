import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Made whole beside its place, then put there: never half of it under the final name. */
export async function keep(target: string, make: (draft: string) => Promise<void>): Promise<void> {
  const draft = await mkdtemp(`${target}.draft-`)
  try {
    await make(draft)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(target)) throw error // another process was quicker
  }
}

/**
 * Debian's packages, and unless `isAlone` what they need that is not installed, fetched and unpacked to `root` in this
 * folder: nothing is installed.
 */
export async function unpackDebian(
  folder: string,
  packages: readonly string[],
  signal: AbortSignal,
  { isAlone = false } = {},
): Promise<void> {
  const state = [
    '-o',
    `Dir::State::lists=${folder}/lists`,
    '-o',
    `Dir::Cache=${folder}/archives`,
    '-o',
    'Debug::NoLocking=1',
    '-o',
    'APT::Sandbox::User=',
  ]
  const debs = join(folder, 'archives/archives')
  const apt = (...words: string[]) =>
    run('nice', ['apt-get', '-qq', ...state, ...words], { cwd: debs, signal, timeout: 300_000 })
  for (const each of ['lists/partial', 'archives/archives/partial', 'root'])
    await mkdir(join(folder, each), { recursive: true })
  await apt('update')
  const words = isAlone ? ['download'] : ['install', '--download-only', '--yes', '--no-install-recommends']
  await apt(...words, ...packages)
  for await (const file of glob(join(debs, '*.deb')))
    await run('nice', ['dpkg-deb', '-x', file, join(folder, 'root')], { signal })
  for (const each of ['lists', 'archives']) await rm(join(folder, each), { recursive: true, force: true })
}
