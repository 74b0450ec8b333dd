import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { leaverOf, type Subscription } from './link.ts'

const leave = <const Path extends string>(
  path: Path,
  what: Subscription,
  { wanted, end }: Record<'wanted' | 'end', RawBuilder<unknown>>,
) =>
  endpoint({
    method: 'POST',
    path,
    summary: `Unsubscribe from the ${what} by a link`,
    description:
      'Mail programs call it for `List-Unsubscribe` (RFC 8058). A body is ignored; a second call changes nothing.',
    access: 'public',
    detached: true,
    query: z.object({ token: z.string().max(200) }),
    returns: ok({ message: z.string() }),

    async handle({ query, services }) {
      const userId = leaverOf(services.config, what, query.token)
      if (userId === null) throw invalid({ token: ['This link is not one of ours.'] })
      await rows(services.platform)`update users set ${end}, updated_at = now() where id = ${userId} and ${wanted}`
      return { message: `You will get no more ${what}s.` }
    },
  })

export const leaveDigest = leave('/digest/unsubscribe', 'digest', {
  wanted: sql`digest <> 'off'`,
  end: sql`digest = 'off', digest_at = null`,
})
export const leaveMonthlyReport = leave('/monthly-report/unsubscribe', 'monthly report', {
  wanted: sql`monthly_report`,
  end: sql`monthly_report = false, monthly_report_at = null`,
})
export const leaveHandoverMails = leave('/on-call-handover/unsubscribe', 'hand-over mail', {
  wanted: sql`handover_mails`,
  end: sql`handover_mails = false`,
})
