import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { fromTeams, selectTeams, type TeamRow, withHidden } from './row.ts'

/** A team of the calling reseller that is not deleted. Row security hides other resellers' teams. */
export async function loadTeam(em: EntityManager, id: string): Promise<TeamRow> {
  const [row] = await em.execute<TeamRow[]>(
    `select ${selectTeams} from ${fromTeams} ${withHidden} where m.id = ? and m.deleted_at is null`,
    [id],
  )
  if (!row) throw notFound('Managed team')
  return row
}

/** As `loadTeam`, locked until the transaction ends. */
export async function lockTeam(em: EntityManager, id: string): Promise<TeamRow> {
  const [row] = await lockTeams(em, [id])
  if (!row) throw notFound('Managed team')
  return row
}

/** The reseller's teams among these ids that are not deleted, locked in one order, which prevents deadlocks. */
export const lockTeams = (em: EntityManager, ids: readonly string[]): Promise<TeamRow[]> =>
  em.execute<TeamRow[]>(
    `select ${selectTeams} from ${fromTeams} ${withHidden} where m.id = any(array[?]::uuid[]) and m.deleted_at is null
     order by m.id for update of m`,
    [ids],
  )
