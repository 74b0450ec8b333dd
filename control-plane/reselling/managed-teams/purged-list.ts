import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Pool } from 'pg'
import { z } from 'zod'
import { Loop } from '#control-plane/base/loop.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'

/** A line of the list: which tenant is gone for good, and since when. Nothing else of it is known there. */
const PurgedTeam = z.object({ tenant_id: z.uuid(), purged_at: z.iso.datetime() })
export type PurgedTeam = z.infer<typeof PurgedTeam>

/** The name of the list that lies beside backups. */
export const purgedListName = 'purged-teams.jsonl'

/** The purged teams of a list; null where there is no such file. A line that cannot be read is an error. */
export async function readPurgedList(path: string): Promise<PurgedTeam[] | null> {
  const text = await readFile(path, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text?.split('\n').flatMap(line => (line === '' ? [] : [PurgedTeam.parse(JSON.parse(line))])) ?? null
}

/** Adds teams to a list, which is replaced as a whole: one that is interrupted leaves the list before. */
export async function extendPurgedList(path: string, teams: readonly PurgedTeam[]): Promise<void> {
  const known = (await readPurgedList(path)) ?? []
  const all = new Map([...teams, ...known].map(team => [team.tenant_id, team]))
  if (all.size === known.length && known.length > 0) return
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    const lines = [...all.values()].sort((a, b) => (a.purged_at < b.purged_at ? -1 : 1))
    await file.writeFile(
      lines.map(({ tenant_id, purged_at }) => `${JSON.stringify({ tenant_id, purged_at })}\n`).join(''),
    )
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

/** Every purged team that PostgreSQL lists. */
export async function purgedTeams(platform: Pool): Promise<PurgedTeam[]> {
  const found = await rows(platform)<Row<'purged_tenants', 'tenant_id' | 'purged_at'>>`
      select tenant_id, purged_at from purged_tenants order by purged_at`
  return found.map(({ tenant_id, purged_at }) => ({ tenant_id, purged_at: new Date(purged_at).toISOString() }))
}

const everyMs = 3_600_000

/** Keeps a list complete, from each purge on, in any number of processes. */
export const keepPurgedList = (
  { platform, listener, log }: Pick<Services, 'platform' | 'listener' | 'log'>,
  path: string,
): Loop =>
  new Loop({
    everyMs,
    round: async () => extendPurgedList(path, await purgedTeams(platform)),
    wake: { listener, notice: 'purged' },
    log,
    failure: 'purged team list failure',
  }).start()
