import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { z } from 'zod'
import { maskedSecret } from '#control-plane/base/token-secret.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

const time = z.string().meta({ format: 'date-time' })

export const ScimTokenView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    masked_token: z
      .string()
      .meta({ description: 'Its prefix and last four characters; the secret itself is shown only once.' }),
    created_by: z.uuid().nullable(),
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

export const viewScimToken = ({ tail, ...row }: Row): z.input<typeof ScimTokenView> => ({
  ...row,
  masked_token: maskedSecret('sc', tail),
})
