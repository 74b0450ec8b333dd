import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { advisoryLock, queries, type Row, stamp } from '#control-plane/db/queries.ts'
import type { encryptions, smtpPorts } from './input.ts'

/** A tenant's own mail server, as it is stored; the password is encrypted. */
export type SmtpRow = Row<'smtp_configs', 'host' | 'username' | 'password' | 'from_address' | 'from_name'> & {
  port: (typeof smtpPorts)[number]
  encryption: (typeof encryptions)[number]
}

export type StoredSmtp = SmtpRow & Row<'smtp_configs', 'failing_since' | 'failure' | 'updated_at'>

export const smtpFields = [
  'host',
  'port',
  'encryption',
  'username',
  'password',
  'from_address',
  'from_name',
] as const satisfies (keyof SmtpRow)[]

export async function readSmtp(em: EntityManager, tenant: { id: string }): Promise<StoredSmtp | null> {
  const row = await queries(em)
    .selectFrom('smtp_configs')
    .where('tenant_id', '=', tenant.id)
    .select(['host', 'username', 'password', 'from_address', 'from_name', 'failure'])
    .select(({ ref }) => [
      ref('port').$castTo<SmtpRow['port']>().as('port'),
      ref('encryption').$castTo<SmtpRow['encryption']>().as('encryption'),
      stamp(ref('failing_since')).as('failing_since'),
      stamp(ref('updated_at')).as('updated_at'),
    ])
    .executeTakeFirst()
  return row ?? null
}

/** As `readSmtp`; others who change it wait until this transaction ends. */
export async function lockSmtp(em: EntityManager, tenant: { id: string }): Promise<StoredSmtp | null> {
  await advisoryLock(em, tenant.id, 61)
  return readSmtp(em, tenant)
}

/** Stores the server and clears the former failure, which says nothing of the new values. */
export async function writeSmtp(em: EntityManager, tenant: { id: string }, row: SmtpRow): Promise<void> {
  const stored = Object.fromEntries(smtpFields.map(name => [name, row[name]])) as SmtpRow
  await queries(em)
    .insertInto('smtp_configs')
    .values({ tenant_id: tenant.id, ...stored })
    .onConflict(conflict =>
      conflict
        .column('tenant_id')
        .doUpdateSet({ ...stored, failing_since: null, failure: null, updated_at: sql`clock_timestamp()` }),
    )
    .execute()
}
