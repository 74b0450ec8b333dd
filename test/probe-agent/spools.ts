import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Spool, type SpoolOptions } from '#probe-agent/spool.ts'

export const secret = Buffer.alloc(32, 7)

const dirs: string[] = []

/** A folder that `removeDirs` removes. */
export async function newDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'vedette-spool-'))
  dirs.push(dir)
  return dir
}

/** A spool that writes at once. */
export const open = (dir: string, options: Partial<SpoolOptions> = {}): Promise<Spool> =>
  Spool.open({ dir, boot: randomUUID(), secret, maxBytes: 10_000_000, commitMs: 1, ...options })

export async function removeDirs(): Promise<void> {
  for (const dir of dirs.splice(0)) await rm(dir, { recursive: true, force: true })
}
