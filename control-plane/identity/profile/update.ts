import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { type Frequency, frequencies, nextMorning } from '#control-plane/identity/digest/morning.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { language, personName, timezone } from '#control-plane/identity/users/input.ts'
import { PreferenceChanges, preferencesOf } from './preferences.ts'
import { ProfileView, viewProfile } from './view.ts'

const fields = ['name', 'language', 'timezone', 'digest', 'monthly_report', 'handover_mails'] as const

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/profile',
  summary: 'Update your name, language, time zone, preferences or mail subscriptions',
  description:
    'The digest is mailed at seven in the morning of your time zone, daily or on Mondays; the ' +
    'monthly report on the first of the next month. Both are off by default. `handover_mails` are sent when you come ' +
    'on duty or go off it, and are on by default. `preferences` keep what is not sent.',
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
    const { id } = signedIn(caller)
    const before = await queries(em)
      .selectFrom('users')
      .where('id', '=', id)
      .select(['name', 'language', 'timezone', 'monthly_report', 'handover_mails', 'preferences', 'chose_locale'])
      .select(({ ref }) => ref('digest').$castTo<Frequency>().as('digest'))
      .forUpdate()
      .executeTakeFirstOrThrow()
    const known = preferencesOf(before.preferences)
    const preferences = preferencesOf({ ...known, ...body.preferences })
    const isChanged = !isDeepStrictEqual(preferences, known)
    const changed = [
      ...fields.filter(field => body[field] !== undefined && body[field] !== before[field]),
      ...(isChanged ? (['preferences'] as const) : []),
    ]
    const choseLocale = before.chose_locale || body.language !== undefined || body.timezone !== undefined
    if (changed.length > 0 || choseLocale !== before.chose_locale) {
      const after = { ...before, ...body }
      const isDueAnew = (of: 'digest' | 'monthly_report') => changed.includes('timezone') || changed.includes(of)
      await em.execute(
        `update users set name = ?, language = ?, timezone = ?, digest = ?, monthly_report = ?, handover_mails = ?,
           preferences = ?::jsonb, chose_locale = ?, updated_at = now(),
           digest_at = case when ? then ?::timestamptz else digest_at end,
           monthly_report_at = case when ? then ?::timestamptz else monthly_report_at end where id = ?`,
        [
          ...fields.map(field => after[field]),
          JSON.stringify(preferences),
          choseLocale,
          isDueAnew('digest'),
          after.digest === 'off' ? null : nextMorning(now, after.timezone, after.digest),
          isDueAnew('monthly_report'),
          after.monthly_report ? nextMorning(now, after.timezone, 'monthly') : null,
          id,
        ],
      )
      if (changed.length === 0) return { data: await viewProfile(em, services.platform, id) }
      // names are personal data, and audit entries cannot be changed: the entry lists the fields only
      audit('profile.updated', { type: 'user', id }, { fields: changed })
    }
    return { data: await viewProfile(em, services.platform, id) }
  },
})
