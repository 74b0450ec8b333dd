import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { maskedSecret } from '#control-plane/base/token-secret.ts'
import { queries, rows, stamp } from '#control-plane/db/queries.ts'
import { mayStillProvisionSql } from '#control-plane/identity/users/maker-role.ts'

const time = z.string().meta({ format: 'date-time' })

export const ScimTokenView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    masked_token: z
      .string()
      .meta({ description: 'Its prefix and last four characters; the secret itself is shown only once.' }),
    created_by: z.uuid().nullable(),
    is_refused: z
      .boolean()
      .meta({ description: 'The person who created it does not administer the team any more: create another one.' }),
    last_used_at: time.nullable().meta({ description: 'Written at most once a minute.' }),
    created_at: time,
  })
  .meta({ id: 'ScimToken' })

export const selectScimTokens = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('scim_tokens')
    .where('tenant_id', '=', tenant.id)
    .select(['id', 'name', 'tail', 'created_by'])
    .select(({ ref }) => [
      stamp(ref('last_used_at')).as('last_used_at'),
      stamp(ref('scim_tokens.created_at')).as('created_at'),
    ])

type Row = InferResult<ReturnType<typeof selectScimTokens>>[number]

/** Those of a team that are refused now. Row security hides the people of its reseller, who may have made some. */
export async function refusedTokensOf(platform: Pool, tenantId: string): Promise<ReadonlySet<string>> {
  const found = await rows(platform)<Pick<Row, 'id'>>`
    select k.id from scim_tokens k where k.tenant_id = ${tenantId} and not ${mayStillProvisionSql('k')}`
  return new Set(found.map(({ id }) => id))
}

export const viewScimToken = ({ tail, ...row }: Row, refused: ReadonlySet<string>): z.input<typeof ScimTokenView> => ({
  ...row,
  is_refused: refused.has(row.id),
  masked_token: maskedSecret('sc', tail),
})
