import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { changesOf } from '#control-plane/base/changes.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { isTaken, queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { neededVariables } from '#control-plane/reselling/monitor-templates/fill.ts'
import type { Variable } from '#control-plane/reselling/monitor-templates/input.ts'
import { lockPortal, type PortalRow } from './row.ts'
import { fields, PortalView, signUpFields, viewPortal } from './view.ts'

const body = z.object({
  slug: fields.slug.optional(),
  is_enabled: fields.is_enabled.optional(),
  support_email: fields.support_email.optional(),
  sign_up: z
    .object({
      is_enabled: signUpFields.is_enabled.optional(),
      plan: signUpFields.plan.optional(),
      profile_id: signUpFields.profile_id.optional(),
      allowed_email_domains: signUpFields.allowed_email_domains.optional(),
    })
    .optional()
    .meta({ description: 'Only for the portal of a reseller, whose managed teams they become.' }),
})
type Changes = z.output<typeof body>

const description = 'Only what is sent changes; `null` clears a field.'

export const updatePortal = endpoint({
  method: 'PATCH',
  path: '/portal',
  summary: 'Update the portal settings of a team',
  description,
  access: { tenant: 'settings:write', reseller: 'portal:write' },
  body,
  returns: ok({ data: PortalView }),
  handle: async context => ({ data: await changePortal(context, context.body) }),
})

export const updateResellerPortal = endpoint({
  method: 'PATCH',
  path: '/reseller/portal',
  summary: 'Update the settings of your own portal',
  description,
  access: { reseller: 'portal:write' },
  body,
  returns: ok({ data: PortalView }),
  handle: async context => ({ data: await changePortal(context, context.body) }),
})

type PortalContext = Pick<RequestContext, 'em' | 'tenant' | 'services' | 'audit' | 'now'>

async function changePortal({ em, tenant, services, audit, now }: PortalContext, changes: Changes) {
  const { sign_up } = changes
  if (sign_up && !tenant.isReseller)
    throw invalid({ sign_up: ['Only a reseller’s portal has sign-ups: they become its managed teams.'] })
  if (sign_up?.profile_id) await refuseUnknownProfile(em, tenant, sign_up.profile_id)
  const before = await lockPortal(em, tenant)
  const after: PortalRow = { ...before, ...columnsOf(changes) }
  const names = columns.filter(name => !isDeepStrictEqual(before[name], after[name]))
  if (names.length > 0) {
    await store(em, tenant, after, now)
    audit('portal.updated', { type: 'tenant', id: tenant.id }, changesOf(names, before, after))
  }
  return viewPortal(services, tenant, after)
}

const columns = [
  'slug',
  'is_enabled',
  'support_email',
  'sign_up_enabled',
  'sign_up_plan',
  'sign_up_profile_id',
  'sign_up_domains',
] as const

/** The columns that a body sets. */
function columnsOf({ slug, is_enabled, support_email, sign_up = {} }: Changes): Partial<PortalRow> {
  const { is_enabled: sign_up_enabled, plan, profile_id, allowed_email_domains } = sign_up
  const given = {
    slug,
    is_enabled,
    support_email,
    sign_up_enabled,
    sign_up_plan: plan,
    sign_up_profile_id: profile_id,
    sign_up_domains: allowed_email_domains,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

async function refuseUnknownProfile(em: EntityManager, reseller: { id: string }, id: string): Promise<void> {
  const profile = await queries(em)
    .selectFrom('provisioning_profiles as p')
    .leftJoin('monitor_templates as t', 't.id', 'p.monitor_template_id')
    .where('p.tenant_id', '=', reseller.id)
    .where('p.id', '=', id)
    .select(['p.id', 't.variables'])
    .executeTakeFirst()
  if (!profile) throw invalid({ 'sign_up.profile_id': ['There is no such profile.'] })
  const needed = neededVariables((profile.variables ?? []) as Variable[])
  if (needed.length > 0)
    throw invalid({
      'sign_up.profile_id': [
        new Sentence('Its template needs values that a sign-up does not give: {names}.', { names: needed.join(', ') }),
      ],
    })
}

/** A slug may be taken by another tenant, which this role cannot see: the unique index refuses it. */
async function store(em: EntityManager, tenant: { id: string }, row: PortalRow, now: Date): Promise<void> {
  try {
    const { slug, is_enabled, support_email, sign_up_enabled, sign_up_plan, sign_up_profile_id, sign_up_domains } = row
    await queries(em)
      .updateTable('portals')
      .set({
        ...{ slug, is_enabled, support_email, sign_up_enabled, sign_up_plan, sign_up_profile_id, sign_up_domains },
        updated_at: now.toISOString(),
      })
      .where('tenant_id', '=', tenant.id)
      .execute()
  } catch (error) {
    throw isTaken(error) ? invalid({ slug: ['Is already taken.'] }, 'taken') : error
  }
}
