import { type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '#control-plane/db/queries.ts'

/** The team that audits and mails a change of address, for a statement on `users as u`: the home team first. */
export const firstTeamOf = ({ selectFrom }: ExpressionBuilder<Database & { u: Database['users'] }, 'u'>) =>
  selectFrom('memberships as m')
    .innerJoin('tenants as t', 't.id', 'm.tenant_id')
    .where('t.deleted_at', 'is', null)
    .whereRef('m.user_id', '=', 'u.id')
    .orderBy(({ eb, ref }) => eb('t.id', '=', ref('u.home_tenant_id')), sql`desc nulls last`)
    .orderBy('m.created_at')
    .limit(1)
    .select('t.id')
    .as('tenant_id')
