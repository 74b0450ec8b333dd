import { sql } from 'kysely'
import { z } from 'zod'
import { advisoryLock, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mailPolicyChange } from './mail.ts'
import { dueAt, type Policy, readPolicy, SecurityPolicyView, viewPolicy } from './row.ts'

export const updateSecurityPolicy = endpoint({
  method: 'PATCH',
  path: '/security-policy',
  summary: 'Update the rules of signing in to a team',
  description:
    'Only what is sent changes. ' +
    'With `mfa_required`, members without a second factor work as before for `mfa_grace_days` days; `mfa_due_at` of ' +
    'GET /user and of their sign-in says until when. After that all calls of their sessions in the team are refused ' +
    '(403, `mfa_required`), except those that set up a factor. Keys and tokens of programs are not affected, nor ' +
    'sessions that single sign-on opened: its provider asks for factors. All members are mailed.',
  access: { tenant: 'settings:write', reseller: 'sso:write' },
  needsOwnSession: true,
  underImpersonation: 'refused',
  needsFreshSession: true,
  body: z
    .object({
      mfa_required: z.boolean(),
      mfa_grace_days: z.int().min(0).max(30),
    })
    .partial(),
  returns: ok({ data: SecurityPolicyView }),

  async handle(context) {
    const { em, tenant, body, now, audit } = context
    await advisoryLock(em, tenant.id, 62)
    const before = await readPolicy(em, tenant)
    const after = { ...before, ...changed(before, body, now) }
    const isOther =
      before.mfa_grace_days !== after.mfa_grace_days ||
      before.mfa_required_at?.getTime() !== after.mfa_required_at?.getTime()
    if (isOther) {
      const policy = {
        mfa_required_at: after.mfa_required_at?.toISOString() ?? null,
        mfa_grace_days: after.mfa_grace_days,
      }
      await queries(em)
        .insertInto('security_policies')
        .values({ tenant_id: tenant.id, ...policy })
        .onConflict(conflict =>
          conflict.column('tenant_id').doUpdateSet({ ...policy, updated_at: sql<string>`clock_timestamp()` }),
        )
        .execute()
      audit('security_policy.updated', { type: 'tenant', id: tenant.id }, changesOf(before, after), 'both')
      if (before.mfa_required_at || after.mfa_required_at)
        await mailPolicyChange(context, {
          change: after.mfa_required_at ? 'mfa_required' : 'mfa_optional',
          mfaDueAt: dueAt(after),
        })
    }
    return { data: await viewPolicy(em, tenant, await readPolicy(em, tenant)) }
  },
})

type Change = { mfa_required?: boolean | undefined; mfa_grace_days?: number | undefined }

/** The days of grace begin when a second factor becomes required; another number of days counts from then too. */
const changed = (before: Policy, { mfa_required: isRequired, mfa_grace_days: days }: Change, now: Date) => ({
  mfa_grace_days: days ?? before.mfa_grace_days,
  mfa_required_at: (isRequired ?? before.mfa_required_at !== null) ? (before.mfa_required_at ?? now) : null,
})

const changesOf = (before: Policy, after: Policy) => ({
  mfa_required: { before: before.mfa_required_at !== null, after: after.mfa_required_at !== null },
  mfa_grace_days: { before: before.mfa_grace_days, after: after.mfa_grace_days },
})
