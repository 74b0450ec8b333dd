import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StartFault } from '#cli/fault.ts'
import { identify, isAlive } from './identity.ts'
import { writePrivately } from './keys.ts'

const fileIn = (dataDir: string) => join(dataDir, 'running.json')

const Holder = z.object({
  pid: z.int(),
  birth: z.string(),
  /**
   * The environment for programs that use the parts of this folder. It has secrets: only the owner may read the file.
   */
  environment: z.record(z.string(), z.string()).default({}),
})
export type Environment = Record<string, string>

export interface LockedFolder {
  /** Lets other commands find the parts. */
  publish(environment: Environment): void
  release(): void
}

/** Allows one `up` per data folder. The lock of a dead process does not count. */
export function lockFolder(dataDir: string): LockedFolder {
  const path = fileIn(dataDir)
  const self = identify(process.pid)
  for (;;) {
    try {
      const file = openSync(path, 'wx', 0o600)
      writeSync(file, JSON.stringify(self))
      closeSync(file)
      return {
        publish: environment => writePrivately(path, { ...self, environment }),
        release: () => rmSync(path, { force: true }),
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = readHolder(dataDir)
    if (holder && isAlive(holder))
      throw new StartFault(
        'config',
        `Vedette already runs on ${dataDir}`,
        `Process ${holder.pid} holds it${holder.environment.BASE_URL ? `, at ${holder.environment.BASE_URL}` : ''}.`,
        `kill ${holder.pid}      stops it in order`,
        'or start a second one: npm start -- --data .data-2',
      )
    rmSync(path, { force: true })
  }
}

function readHolder(dataDir: string) {
  try {
    return Holder.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}

/** Addresses and keys of the `up` that runs on a data folder. */
export function environmentOf(dataDir: string): Environment | undefined {
  const holder = readHolder(dataDir)
  return holder && isAlive(holder) ? holder.environment : undefined
}
