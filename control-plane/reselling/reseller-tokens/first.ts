import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { ResellerScope } from '#contract/scopes.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'

export interface FirstToken {
  /** Slug or id of the reseller. */
  reseller: string
  /** E-mail address of the person in whose name it acts; by default the first owner. */
  person: string | null
  name: string
  scopes: ResellerScope[]
  expiresAt: Date | null
}

/** A reseller token made by the operator. Answers why not, if there is no such reseller or nobody of theirs to act for. */
export async function makeFirstToken(
  platform: Pool,
  wanted: FirstToken,
): Promise<{ plain: string; person: string } | 'no_reseller' | 'no_person'> {
  const { rows: resellers } = await platform.query<{ id: string }>(
    'select id from tenants where (slug = $1 or id::text = $1) and is_reseller and deleted_at is null',
    [wanted.reseller],
  )
  const reseller = resellers[0]
  if (!reseller) return 'no_reseller'
  const { rows: people } = await platform.query<{ id: string; email: string }>(
    `select u.id, u.email from memberships m join users u on u.id = m.user_id
     where m.tenant_id = $1 and not u.is_service and m.role in ('owner', 'admin') and ($2::citext is null or u.email = $2)
     order by m.role = 'owner' desc, m.created_at, u.id limit 1`,
    [reseller.id, wanted.person],
  )
  const person = people[0]
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
    await client.query(
      `insert into audit_entries (id, tenant_id, action, entity_type, entity_id, changes, created_at)
       values ($1, $2, 'reseller_token.created', 'personal_access_token', $3, $4, clock_timestamp())`,
      [randomUUID(), reseller.id, id, JSON.stringify({ name, scopes, expires_at: expiresAt })],
    )
    return { plain, person: person.email }
  })
}
