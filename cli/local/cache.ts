import { accessSync, constants, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '..', '..')

/** Where fetched and built programs are kept, over checkouts: `VEDETTE_CACHE`, else the user's cache, else this checkout. First is written to. */
export function cacheFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  const folders = [
    ...(env.VEDETTE_CACHE ? [env.VEDETTE_CACHE] : []),
    join(homedir(), '.cache', 'vedette'),
    join(repository, '.cache'),
  ]
  const writable = folders.find(mayWrite)
  return writable ? [writable, ...folders.filter(folder => folder !== writable)] : folders
}

function mayWrite(folder: string) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
