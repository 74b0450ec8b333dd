import { z } from 'zod'
import type { Row } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { type Run, runIn, runOn } from '#control-plane/tenancy/plans/run.ts'

const maxMonitors = 200

/** The ids of up to 200 monitors that are read at once, each once. */
export const monitorIds = z
  .array(z.uuid())
  .min(1)
  .max(1_000)
  .transform(given => [...new Set(given.map(id => id.toLowerCase()))])
  .refine(given => given.length <= maxMonitors, `At most ${maxMonitors} different monitors can be asked for.`)

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
): Promise<{ run: Run; owners: Map<string, string> }> {
  if (caller.kind !== 'rk' || tenant.id !== caller.tenant.id)
    return { run: runIn(em), owners: new Map(named.map(id => [id, tenant.id])) }
  const run = runOn(services.platform)
  return { run, owners: await ownersOf(run, tenant.id, named) }
}

/**
 * A statement over several tenants, so it runs as the platform and not under one tenant's row security. It finds only
 * monitors of the reseller and of its teams that are not deleted, and only monitors that it finds are read.
 */
const owned = `
  select m.id, m.tenant_id from monitors m join tenants n on n.id = m.tenant_id and n.deleted_at is null
  where m.id = any(?::uuid[]) and (m.tenant_id = ? or exists (
    select 1 from managed_teams t where t.tenant_id = m.tenant_id and t.reseller_id = ? and t.deleted_at is null))`

async function ownersOf(run: Run, resellerId: string, monitors: readonly string[]): Promise<Map<string, string>> {
  const rows = await run<Row<'monitors', 'id' | 'tenant_id'>>(owned, [`{${monitors.join()}}`, resellerId, resellerId])
  return new Map(rows.map(({ id, tenant_id }) => [id, tenant_id]))
}
