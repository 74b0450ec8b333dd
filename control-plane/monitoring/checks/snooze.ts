import { z } from 'zod'
import { line } from '#contract/line.ts'
import { unsnoozed, type Workflows, workflowId } from '#contract/workflows.ts'
import { queries } from '#control-plane/db/queries.ts'
import { notifyMutedWarning } from '#control-plane/engine/warnings/release.ts'
import { checkEndpoint } from './check-endpoint.ts'
import { notifySuppressedIncident } from './end-snooze.ts'
import { answerCheck, oneCheck } from './show.ts'

export const snoozeCheck = checkEndpoint({
  method: 'POST',
  suffix: '/snooze',
  summary: 'Snooze a check',
  description: 'It goes on running.',
  needs: 'write',
  body: z.object({
    minutes: z.int().min(1).max(1_440),
    reason: line(255, 0).nullable().default(null),
  }),
  returns: oneCheck,

  async handle(context) {
    const { em, tenant, caller, found, body, now, audit, start } = context
    const until = new Date(now.getTime() + body.minutes * 60_000)
    await queries(em)
      .updateTable('checks')
      .set({
        snoozed_until: until.toISOString(),
        snoozed_by: caller.user?.id ?? null,
        snooze_reason: body.reason,
        updated_at: now.toISOString(),
      })
      .where('id', '=', found.id)
      .where('tenant_id', '=', tenant.id)
      .execute()
    const input: Parameters<Workflows['snoozeEnd']>[0] = {
      tenantId: tenant.id,
      checkId: found.id,
      untilMs: until.getTime(),
    }
    start('snoozeEnd', workflowId.snoozeEnd(found.id, input.untilMs), { ...input })
    audit('check.snoozed', { type: 'check', id: found.id }, { minutes: body.minutes, reason: body.reason })
    return answerCheck(context, found.id)
  },
})

export const unsnoozeCheck = checkEndpoint({
  method: 'POST',
  suffix: '/unsnooze',
  summary: 'End the snooze of a check',
  needs: 'write',
  returns: oneCheck,

  async handle(context) {
    const { em, tenant, found, now, audit, signal } = context
    if (found.snoozed_until !== null) {
      await queries(em)
        .updateTable('checks')
        .set({ snoozed_until: null, snoozed_by: null, snooze_reason: null, updated_at: now.toISOString() })
        .where('id', '=', found.id)
        .where('tenant_id', '=', tenant.id)
        .execute()
      await notifySuppressedIncident(em, found.id)
      await notifyMutedWarning(em, found.id)
      signal(workflowId.snoozeEnd(found.id, Date.parse(found.snoozed_until)), unsnoozed)
      audit('check.unsnoozed', { type: 'check', id: found.id })
    }
    return answerCheck(context, found.id)
  },
})
