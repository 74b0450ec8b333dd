import { z } from 'zod'
import { among, type Db, type Row, rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'

const maxMonitors = 200

/** The ids of up to 200 monitors that are read at once, each once. */
export const monitorIds = z
  .array(z.uuid())
  .min(1)
  .max(1_000)
  .transform(given => [...new Set(given.map(id => id.toLowerCase()))])
  .refine(given => given.length <= maxMonitors, {
    message: 'At most {n} different monitors can be asked for.',
    params: { n: maxMonitors },
  })

/** What the answers of such calls have in common. */
export const namedMonitors = [
  'One entry for each monitor that was named, in that order. A monitor named twice is listed once; a monitor of',
  'another tenant is left out.',
  'A reseller’s token that names no team reads the monitors of all its teams.',
].join(' ')

/**
 * The tenant of each monitor that the caller may read, and how statements over all of them run. Monitors of the own
 * tenant are not read here: row security leaves out those of others.
 */
export async function ownersOfNamed(
  { em, tenant, caller, services }: Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'services'>,
  named: readonly string[],
): Promise<{ db: Db; owners: Map<string, string> }> {
  if (caller.kind !== 'rk' || tenant.id !== caller.tenant.id)
    return { db: em, owners: new Map(named.map(id => [id, tenant.id])) }
  const db = services.platform
  return { db, owners: await ownersOf(db, tenant.id, named) }
}

/**
 * A statement over several tenants, so it runs as the platform and not under one tenant's row security. It finds only
 * monitors of the reseller and of its teams that are not deleted, and only monitors that it finds are read.
 */
async function ownersOf(db: Db, resellerId: string, monitors: readonly string[]): Promise<Map<string, string>> {
  const owned = await rows(db)<Row<'monitors', 'id' | 'tenant_id'>>`
    select m.id, m.tenant_id from monitors m join tenants n on n.id = m.tenant_id and n.deleted_at is null
    where m.id = ${among(monitors)} and (m.tenant_id = ${resellerId} or exists (
      select 1 from managed_teams t
      where t.tenant_id = m.tenant_id and t.reseller_id = ${resellerId} and t.deleted_at is null))`
  return new Map(owned.map(({ id, tenant_id }) => [id, tenant_id]))
}
