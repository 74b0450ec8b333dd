import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { line } from '#contract/line.ts'
import { Sentence } from '#contract/sentence.ts'
import { invalid, notInPlan } from '#control-plane/base/refusal.ts'
import { mintSecret, tailOf } from '#control-plane/base/token-secret.ts'
import { advisoryLock, queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { scimPath } from '#control-plane/http/scim-error.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { ScimTokenView, selectScimTokens, viewScimToken } from './view.ts'

const mostTokens = 10

export const createScimToken = endpoint({
  method: 'POST',
  path: '/scim-tokens',
  summary: 'Create a token for a directory',
  description:
    'The directory provisions the team’s members with it. It is shown once. ' +
    'Needs the plan feature `sso`. Entra ID, Okta and others take it with `base_url`. It is valid for SCIM alone, ' +
    `and only while the person who created it administers the team: 403 after that. At most ${mostTokens} in a team.`,
  access: { tenant: 'settings:manage' },
  underImpersonation: 'refused',
  needsFreshSession: true,
  needsOwnSession: true,
  body: z.object({ name: line(255) }),
  returns: created({
    data: ScimTokenView,
    plain_text_token: z.string(),
    base_url: z.string().meta({ description: 'The address that the directory asks for.' }),
  }),

  async handle({ em, tenant, caller, body, services, now, audit }) {
    const { plan, limits } = await planNow(em, tenant.id)
    if (!limits.sso) throw notInPlan('sso', plan, 'The plan does not include single sign-on and provisioning.')
    await advisoryLock(em, `scim_tokens:${tenant.id}`)
    const db = queries(em)
    const tokens = db.selectFrom('scim_tokens').where('tenant_id', '=', tenant.id)
    if ((await tokens.select(total).executeTakeFirstOrThrow()).total >= mostTokens)
      throw invalid({
        name: [new Sentence('A team has at most {n} of these tokens: delete one first.', { n: mostTokens })],
      })
    const { plain, hash } = mintSecret('sc')
    const id = randomUUID()
    await db
      .insertInto('scim_tokens')
      .values({
        id,
        tenant_id: tenant.id,
        name: body.name,
        hash: sql<Buffer>`decode(${hash.toString('hex')}, 'hex')`,
        tail: tailOf(plain),
        created_by: caller.user?.id ?? caller.maker,
        created_at: now.toISOString(),
      })
      .execute()
    audit('scim_token.created', { type: 'scim_token', id }, { name: body.name })
    const row = await selectScimTokens(em, tenant).where('id', '=', id).executeTakeFirstOrThrow()
    return {
      data: viewScimToken(row, new Set()),
      plain_text_token: plain,
      base_url: (await keptOriginOf(services, tenant.id)) + scimPath,
    }
  },
})
