import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { z } from 'zod'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { domainProblems, expiryDays, recordOf } from './domain-check.ts'

const time = z.string().meta({ format: 'date-time' })

export const SsoDomainView = z
  .object({
    id: z.uuid(),
    domain: z.string(),
    is_verified: z.boolean(),
    dns: z
      .object({ txt_name: z.string(), txt_value: z.string() })
      .meta({ description: 'The TXT record to create. It must stay: it is checked daily.' }),
    last_error: z
      .enum(domainProblems)
      .nullable()
      .meta({
        description:
          'What the latest check found wrong. `taken`: another team has verified this domain. `dns_unanswered`: the ' +
          'name servers did not answer, which says nothing of the record.',
      }),
    verified_at: time.nullable(),
    last_checked_at: time.nullable(),
    next_check_at: time.nullable().meta({
      description: `Null: the record was missing for ${expiryDays} days; \`verify\` checks again.`,
    }),
    created_at: time,
  })
  .meta({ id: 'SsoDomain' })

export type DomainRow = InferResult<ReturnType<typeof selectDomains>>[number]

export const selectDomains = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('sso_domains as d')
    .where('d.tenant_id', '=', tenant.id)
    .select(['d.id', 'd.domain', 'd.txt_token', 'd.last_error'])
    .select(({ ref }) => [
      stamp(ref('d.verified_at')).as('verified_at'),
      stamp(ref('d.last_checked_at')).as('last_checked_at'),
      stamp(ref('d.next_check_at')).as('next_check_at'),
      stamp(ref('d.created_at')).as('created_at'),
    ])

export async function findDomain(em: EntityManager, tenant: { id: string }, id: string): Promise<DomainRow> {
  const row = await selectDomains(em, tenant).where('d.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Domain')
  return row
}

export function viewDomain({ txt_token, last_error, ...row }: DomainRow): z.input<typeof SsoDomainView> {
  return {
    ...row,
    is_verified: row.verified_at !== null,
    last_error: domainProblems.find(known => known === last_error) ?? null,
    dns: recordOf(row.domain, txt_token),
  }
}
