import { z } from 'zod'
import { daysAfter, stamp } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { planAfterTrial } from '#control-plane/tenancy/plans/plan-after-trial.ts'
import { changeTeam } from './change.ts'
import { lockReference } from './external-ref.ts'
import { endTrial, startTrial } from './follow-trial.ts'
import { fields, maxTrialDays } from './input.ts'
import { loadTeam, lockTeam } from './load.ts'
import { hadTrial, isUnfinished } from './plan-after-trial.ts'
import { TeamView, viewTeam } from './view.ts'

export const updateManagedTeam = endpoint({
  method: 'PATCH',
  path: '/reseller/managed-teams/{managed_team}',
  summary: 'Update a managed team',
  access: { reseller: 'teams:write' },
  body: z
    .object({
      ...fields,
      trial_days: z
        .int()
        .min(0)
        .max(maxTrialDays)
        .meta({
          description:
            'Days from now until the trial ends; 0 clears it, and the plan stays. After a trial that ended in the ' +
            'plan free, `plan` names that of the new one.',
        }),
      plan_after_trial: fields.plan.nullable().meta({
        description:
          'The plan from the end of the trial: by default free. A plan that is changed during the trial, without ' +
          '`trial_days`, is also the plan after it.',
      }),
    })
    .partial(),
  returns: ok({ data: TeamView }),

  async handle(context) {
    const { em, params, body, now } = context
    const owner = await lockReference(em, context.caller.tenant, body.external_ref ?? null)
    const team = await lockTeam(em, params.managed_team)
    if (owner && owner.id !== team.id) throw invalid({ external_ref: ['Is already taken.'] }, 'taken')
    const { trial_days, ...changes } = body
    const isTrial = trial_days === undefined ? await isUnfinished(em, team) : trial_days > 0
    if (body.plan_after_trial && body.plan_after_trial !== planAfterTrial(team) && !isTrial)
      throw invalid({ plan_after_trial: ['Belongs to a trial: send trial_days with it.'] })
    if (trial_days && body.plan === undefined && team.plan === 'free' && (await hadTrial(em, team)))
      throw invalid({
        trial_days: ['The trial has ended, and the plan is free: send the plan of the new trial with it.'],
      })
    const trialEndsAt = trial_days ? daysAfter(now, trial_days) : null
    await changeTeam(context, team, {
      ...changes,
      ...(trial_days !== undefined && { trial_ends_at: stamp(trialEndsAt) }),
    })
    if (trial_days !== undefined) endTrial(context, team)
    if (trialEndsAt) startTrial(context, team, trialEndsAt)
    return { data: viewTeam(await loadTeam(em, team.id), now) }
  },
})
