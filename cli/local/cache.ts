import { accessSync, constants, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '..', '..')

/**
 * Folders for fetched and built programs: `VEDETTE_CACHE`, the user's cache, this checkout. The first is written to.
 */
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
