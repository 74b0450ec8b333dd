import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { fromTeams, selectTeams, type TeamRow } from './row.ts'

/** A team of the reseller who acts, not deleted. Row security leaves out everybody else's. */
export async function loadTeam(em: EntityManager, id: string): Promise<TeamRow> {
  const [row] = await em.execute<TeamRow[]>(
    `select ${selectTeams} from ${fromTeams} where m.id = ? and m.deleted_at is null`,
    [id],
  )
  if (!row) throw notFound('Managed team')
  return row
}

/** The same, held until the transaction ends: whoever changes a team has it alone. */
export async function lockTeam(em: EntityManager, id: string): Promise<TeamRow> {
  const [row] = await lockTeams(em, [id])
  if (!row) throw notFound('Managed team')
  return row
}

/** Those of the ids that are living teams of the reseller, taken in one order whoever asks, so that nobody waits in a circle. */
export const lockTeams = (em: EntityManager, ids: readonly string[]): Promise<TeamRow[]> =>
  em.execute<TeamRow[]>(
    `select ${selectTeams} from ${fromTeams} where m.id = any(array[?]::uuid[]) and m.deleted_at is null order by m.id for update of m`,
    [ids],
  )
