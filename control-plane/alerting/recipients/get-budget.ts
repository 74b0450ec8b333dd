import { sql } from 'kysely'
import { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import { mayRead } from '#control-plane/alerting/channels/input.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { askedToday, questionsADay } from '#control-plane/tenancy/plans/mail-questions.ts'

const count = z.int().min(0)
const Day = z.object({ day: z.string().meta({ format: 'date' }), sent: count, kept_back: count })

const MailBudget = z
  .object({
    limit: count.nullable().meta({
      description:
        'How many mails of channels the plan allows in a day (UTC), counted for each recipient. null: unlimited.',
    }),
    sent: count.meta({ description: 'Today. Mails that the team’s own mail server sends do not count.' }),
    kept_back: count.meta({
      description: 'Today, beyond the limit. They were not sent; the notification log lists them as `mail_budget`.',
    }),
    questions: z
      .object({
        limit: count.nullable().meta({ description: 'How many the plan allows in 24 hours. null: unlimited.' }),
        sent: count.meta({ description: 'In the last 24 hours.' }),
      })
      .meta({
        description:
          'Addresses that did not ask for mail of the team and were asked: subscribers it adds or imports, and new ' +
          'members. One address is asked three times a week at most.',
      }),
    days: z.array(Day).meta({ description: 'The last seven days with mails, newest first.' }),
  })
  .meta({ id: 'MailBudget' })

export const getMailBudget = endpoint({
  method: 'GET',
  path: '/mail-budget',
  summary: 'Get the daily mail budget of the channels',
  description: 'With sent and suppressed mails, and with the addresses that were asked in the last 24 hours.',
  access: mayRead,
  returns: ok({ data: MailBudget }),

  async handle({ em, tenant, now }) {
    const days = await queries(em)
      .selectFrom('mail_budgets as b')
      .where('b.tenant_id', '=', tenant.id)
      .select(({ ref }) => sql<string>`to_char(${ref('b.day')}, 'YYYY-MM-DD')`.as('day'))
      .select(['b.sent', 'b.kept_back'])
      .orderBy('b.day', 'desc')
      .limit(7)
      .execute()
    const today = days.find(({ day }) => day === now.toISOString().slice(0, 10))
    const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
    const questions = {
      limit: questionsADay(limits, 'team'),
      sent: await askedToday(em, tenant.id, 'team'),
    }
    const { sent = 0, kept_back = 0 } = today ?? {}
    return { data: { limit: limits.mails_per_day, sent, kept_back, questions, days } }
  },
})
