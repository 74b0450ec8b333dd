import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { among, rows } from '#control-plane/db/queries.ts'
import { fromTeams, selectTeams, type TeamRow, withHidden } from './row.ts'

/** A team of the calling reseller that is not deleted. Row security hides other resellers' teams. */
export async function loadTeam(em: EntityManager, id: string): Promise<TeamRow> {
  const [row] = await rows(em)<TeamRow>`
    select ${selectTeams} from ${fromTeams} ${withHidden} where m.id = ${id} and m.deleted_at is null`
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
  rows(em)<TeamRow>`select ${selectTeams} from ${fromTeams} ${withHidden}
    where m.id = ${among(ids)} and m.deleted_at is null
    order by m.id for update of m`
