import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Identity, identify, isAlive } from '#cli/local/identity.ts'

/** Locks a folder, which two engines would corrupt. Returns the release; the lock of a dead process does not count. */
export function lockFolder(folder: string): () => void {
  const lock = join(folder, 'vedette.lock')
  const mine = `${lock}.${process.pid}`
  writeFileSync(mine, JSON.stringify(identify(process.pid)))
  try {
    for (;;) {
      try {
        linkSync(mine, lock)
        return () => rmSync(lock, { force: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = readHolder(lock)
      if (holder && isAlive(holder))
        throw new Error(
          `${folder} is in use by process ${holder.pid}. One process owns a data folder: stop that one first.`,
        )
      renameSync(lock, `${mine}.dead`) // several processes may remove the dead lock; the link decides between them
      rmSync(`${mine}.dead`, { force: true })
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

function readHolder(path: string): Identity | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Identity
  } catch {
    return undefined
  }
}
