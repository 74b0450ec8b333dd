import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheFolders } from '#cli/local/cache.ts'
import { keep, unpackDebian } from './debian.ts'

/** `promtool` where it is installed, else of Debian's package, kept in the cache. */
export async function findPromtool(): Promise<string> {
  for (const command of ['/usr/bin/promtool', '/usr/local/bin/promtool', process.env.PROMTOOL ?? ''])
    if (existsSync(command)) return command
  const [cache = tmpdir()] = cacheFolders()
  const folder = join(cache, 'prometheus-debian')
  // it is a program of Go, which needs no library
  if (!existsSync(folder))
    await keep(folder, draft => unpackDebian(draft, ['prometheus'], AbortSignal.timeout(240_000), { isAlone: true }))
  return join(folder, 'root/usr/bin/promtool')
}
