import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { birthOf } from '#cli/local/identity.ts'

const memory = '/dev/shm'
/** Bytes that a run's stores may come to, several times. */
const plenty = 6_000_000_000

/**
 * Where stores of tests keep what they have: in memory if there is plenty, else on the disk. To copy the template of a
 * database takes a seventh of the processor time there, as most of it goes into making files.
 */
function findPlace(): string {
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (Math.min(bavail * bsize, process.availableMemory()) > plenty) return memory
  } catch {
    // a system without it
  }
  return tmpdir()
}

/** A new folder for stores, which its maker deletes. */
export const makeFolder = (name: string): string => mkdtempSync(join(findPlace(), `vedette-${name}-${process.pid}-`))

/** Deletes the folders of processes that were killed. */
export function deleteLeftFolders(): void {
  const place = findPlace()
  for (const name of readdirSync(place)) {
    const pid = /^vedette-[a-z]+-(\d+)-/.exec(name)?.[1]
    if (pid && birthOf(Number(pid)) === undefined) rmSync(join(place, name), { recursive: true, force: true })
  }
}
