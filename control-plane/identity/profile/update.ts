import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Caller } from '#control-plane/base/caller.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { type Frequency, frequencies, nextMorning } from '#control-plane/identity/digest/morning.ts'
import { personOfSession, refuseLimited } from '#control-plane/identity/sessions/signed-in.ts'
import { language, personName, timezone } from '#control-plane/identity/users/input.ts'
import { PreferenceChanges, type Preferences, preferencesOf } from './preferences.ts'
import { ProfileView, viewProfile } from './view.ts'

const fields = ['name', 'language', 'timezone', 'digest', 'monthly_report', 'handover_mails'] as const
/** What a session that is limited to its team changes too: how the app is shown. */
const ofAnySession: readonly string[] = ['language', 'timezone', 'preferences']

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/profile',
  summary: 'Update your profile',
  description:
    'Name, language, time zone, preferences and mail subscriptions. ' +
    'The digest is mailed at seven in the morning of your time zone, daily or on Mondays; the ' +
    'monthly report on the first of the next month. Both are off by default. `handover_mails` are sent when you come ' +
    'on duty or go off it, and are on by default. `preferences` keep what is not sent. ' +
    'A session that is limited to its team changes language, time zone and preferences alone, and of the saved views ' +
    'those of its team.',
  access: 'session',
  underImpersonation: 'refused',
  body: z
    .object({
      name: personName,
      language,
      timezone,
      digest: z.enum(frequencies),
      monthly_report: z.boolean(),
      handover_mails: z.boolean(),
      preferences: PreferenceChanges,
    })
    .partial(),
  returns: ok({ data: ProfileView }),

  async handle({ body, caller, em, services, now, audit }) {
    const { id } = personOfSession(caller)
    if (Object.keys(body).some(field => !ofAnySession.includes(field))) refuseLimited(caller)
    const before = await queries(em)
      .selectFrom('users')
      .where('id', '=', id)
      .select(['name', 'language', 'timezone', 'monthly_report', 'handover_mails', 'preferences', 'chose_locale'])
      .select(({ ref }) => ref('digest').$castTo<Frequency>().as('digest'))
      .forUpdate()
      .executeTakeFirstOrThrow()
    const known = preferencesOf(before.preferences)
    const preferences = preferencesOf({ ...known, ...changesOf(body.preferences, known, caller) })
    const isChanged = !isDeepStrictEqual(preferences, known)
    const changed = [
      ...fields.filter(field => body[field] !== undefined && body[field] !== before[field]),
      ...(isChanged ? (['preferences'] as const) : []),
    ]
    const choseLocale = before.chose_locale || body.language !== undefined || body.timezone !== undefined
    if (changed.length > 0 || choseLocale !== before.chose_locale) {
      const after = { ...before, ...body }
      const isDueAnew = (of: 'digest' | 'monthly_report') => changed.includes('timezone') || changed.includes(of)
      const nextDigest = after.digest === 'off' ? null : nextMorning(now, after.timezone, after.digest)
      const nextReport = after.monthly_report ? nextMorning(now, after.timezone, 'monthly') : null
      await queries(em)
        .updateTable('users')
        .set({
          ...Object.fromEntries(fields.map(field => [field, after[field]])),
          preferences: json(preferences),
          chose_locale: choseLocale,
          updated_at: sql<string>`now()`,
          ...(isDueAnew('digest') && { digest_at: nextDigest?.toISOString() ?? null }),
          ...(isDueAnew('monthly_report') && { monthly_report_at: nextReport?.toISOString() ?? null }),
        })
        .where('id', '=', id)
        .execute()
      if (changed.length === 0) return { data: await viewProfile(em, services.platform, caller) }
      // names are personal data, and audit entries cannot be changed: the entry lists the fields only
      audit('profile.updated', { type: 'user', id }, { fields: changed })
    }
    return { data: await viewProfile(em, services.platform, caller) }
  },
})

/** A session that is limited to its team sees the views of that team alone: it keeps those of other teams. */
function changesOf(changes: z.output<typeof PreferenceChanges> | undefined, known: Preferences, caller: Caller) {
  if (!changes?.monitor_views || !caller.isLocked) return changes
  const isOfTeam = ({ tenant_id }: { tenant_id: string }) => tenant_id === caller.tenant.id
  const others = known.monitor_views.filter(view => !isOfTeam(view))
  return { ...changes, monitor_views: [...others, ...changes.monitor_views.filter(isOfTeam)] }
}
