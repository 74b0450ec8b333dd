import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { unlimited } from '#contract/plans.ts'
import { resellerScopes } from '#contract/scopes.ts'
import { rows } from '#control-plane/db/queries.ts'
import { createToken } from './access/tokens/create.ts'
import { inTransaction } from './base/transaction.ts'
import { createEnrolment } from './engine/agents/create-enrolment.ts'
import { createUser } from './identity/users/create.ts'
import { localOperator } from './platform/setup/link.ts'
import { addManagedTeam } from './reselling/managed-teams/add-managed-team.ts'
import { createTenant } from './tenancy/tenants/create.ts'

/** What a first start leaves in `local.json`, besides addresses. */
export interface Seeded {
  super_admin: { email: string; password: string }
  reseller: { email: string; password: string; tenant_id: string; token: string }
  team: { id: string; tenant_id: string; slug: string; name: string; email: string; password: string }
  regions: string[]
  agent_enrolment_token: string
}

const password = () => randomBytes(18).toString('base64url')

/**
 * The first accounts of an installation: an operator, a reseller with a token of every `:manage` scope, and a managed
 * team on plan pro with runs as often as every second. Run again after an aborted first start, it gives the same
 * accounts new secrets.
 */
export function seed(platform: Pool, regions: string[]): Promise<Seeded> {
  return inTransaction(platform, async client => {
    await rows(client, sql`insert into regions (name) select unnest(${regions}::text[]) on conflict do nothing`)

    const operator = { email: localOperator, password: password() }
    const operatorTenant = await createTenant(client, {
      name: 'Operators',
      slug: 'operators',
      plan: 'pro',
      featureOverrides: unlimited,
    })
    await createUser(client, {
      ...operator,
      name: 'Operator',
      tenantId: operatorTenant,
      role: 'owner',
      isSuperAdmin: true,
    })

    const reseller = { email: 'reseller@vedette.local', password: password() }
    const resellerTenant = await createTenant(client, {
      name: 'Northwind Hosting',
      slug: 'northwind',
      plan: 'pro',
      featureOverrides: unlimited,
      isReseller: true,
    })
    const resellerUser = await createUser(client, {
      ...reseller,
      name: 'Rae Seller',
      tenantId: resellerTenant,
      role: 'owner',
    })
    const { plain: token } = await createToken(client, {
      kind: 'rk',
      tenantId: resellerTenant,
      userId: resellerUser,
      name: 'First token',
      expiresAt: null,
      scopes: resellerScopes.filter(scope => scope.endsWith(':manage')),
    })

    const team = { slug: 'acme', name: 'Acme', email: 'owner@acme.local', password: password() }
    const teamTenant = await createTenant(client, {
      name: team.name,
      slug: team.slug,
      plan: 'pro',
      featureOverrides: { min_check_interval: 1 },
    })
    await createUser(client, {
      email: team.email,
      password: team.password,
      name: 'Ada Owner',
      tenantId: teamTenant,
      role: 'owner',
    })
    const teamId = await addManagedTeam(client, resellerTenant, teamTenant, 'first')

    const spare = await createEnrolment(client, null)
    return {
      super_admin: operator,
      reseller: { ...reseller, tenant_id: resellerTenant, token },
      team: { id: teamId, tenant_id: teamTenant, ...team },
      regions,
      agent_enrolment_token: spare.plain,
    }
  })
}
