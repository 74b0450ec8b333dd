import type { Pool } from 'pg'
import type { ResellerScope } from '#contract/scopes.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { queries } from '#control-plane/db/queries.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'

export interface FirstToken {
  /** Slug or id of the reseller. */
  reseller: string
  /** E-mail address of the person that it acts for; by default the first owner. */
  person: string | null
  name: string
  scopes: ResellerScope[]
  expiresAt: Date | null
}

/** Creates a reseller token for the operator, or returns why not: an unknown reseller or no person to act for. */
export async function makeFirstToken(
  platform: Pool,
  wanted: FirstToken,
): Promise<{ plain: string; person: string } | 'no_reseller' | 'no_person'> {
  const reseller = await queries(platform)
    .selectFrom('tenants')
    .where(({ eb, or, cast }) =>
      or([eb('slug', '=', wanted.reseller), eb(cast<string>('id', 'text'), '=', wanted.reseller)]),
    )
    .where('is_reseller', '=', true)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  if (!reseller) return 'no_reseller'
  const people = queries(platform)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', reseller.id)
    .where('u.is_service', '=', false)
    .where('m.role', 'in', ['owner', 'admin'])
    .orderBy(({ eb }) => eb('m.role', '=', 'owner'), 'desc')
    .orderBy('m.created_at')
    .orderBy('u.id')
    .select(['u.id', 'u.email'])
  const person = await (wanted.person === null
    ? people
    : people.where('u.email', '=', wanted.person)
  ).executeTakeFirst()
  if (!person) return 'no_person'

  return inTransaction(platform, async client => {
    const { name, scopes, expiresAt } = wanted
    const { id, plain } = await createToken(client, {
      kind: 'rk',
      tenantId: reseller.id,
      userId: person.id,
      createdBy: person.id,
      name,
      scopes,
      expiresAt,
    })
    const action = 'reseller_token.created'
    const changes = { name, scopes, expires_at: expiresAt }
    await addAudit(client, [{ tenantId: reseller.id, action, type: 'personal_access_token', id, changes }])
    return { plain, person: person.email }
  })
}
