import { z } from 'zod'
import { severities } from '#contract/check.ts'
import { line } from '#contract/line.ts'
import { Id, isDistinct, TimeOfDay } from '#control-plane/alerting/on-call-schedules/input.ts'
import { assignments, positions } from '#control-plane/db/model/escalation.ts'
import { weekdays } from '#control-plane/db/model/shapes.ts'
import { timezone } from '#control-plane/identity/users/input.ts'

export const limits = { steps: 10, targets: 20, repeats: 10 }
/** A day. */
const mostMinutes = 1_440

export const targetTypes = ['user', 'schedule', 'team', 'channel'] as const

const Target = z
  .object({
    type: z.enum(targetTypes).meta({
      description:
        '`user`: a member of the team. `schedule`: who is on call when the step is taken. `team`: every member but ' +
        'viewers. `channel`: a notification channel.',
    }),
    id: Id.nullable().default(null).meta({ description: 'Of the user, schedule or channel; a team has none.' }),
    position: z.enum(positions).default('current').meta({
      description: 'Of a schedule: who is on call, or who is next.',
    }),
  })
  .superRefine(({ type, id, position }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (type === 'team' && id !== null) refuse('id', 'The team has no id here.')
    if (type !== 'team' && id === null) refuse('id', `A target of type ${type} needs this.`)
    if (type !== 'schedule' && position !== 'current') refuse('position', 'Only a schedule has this.')
  })
  .meta({ id: 'EscalationTarget' })

const OnlyIf = z
  .object({
    severity: z.array(z.enum(severities)).min(1).refine(isDistinct, 'Names a severity twice.').nullable().default(null),
    days: z.array(z.enum(weekdays)).min(1).refine(isDistinct, 'Names a day twice.').nullable().default(null),
    from: TimeOfDay.nullable().default(null),
    to: TimeOfDay.nullable().default(null),
    timezone: timezone.nullable().default(null),
  })
  .superRefine(({ severity, days, from, to, timezone }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const isTimed = days !== null || from !== null || to !== null
    if (from !== null && to === null) refuse('to', 'A time from which needs one until which.')
    if (to !== null && from === null) refuse('from', 'A time until which needs one from which.')
    if (isTimed && timezone === null) refuse('timezone', 'Days and times need a zone.')
    if (!isTimed && timezone !== null) refuse('timezone', 'Goes with days and times only.')
    if (!isTimed && severity === null) refuse('severity', 'Name a severity, days or times, or send null instead.')
  })
  .meta({
    id: 'EscalationCondition',
    description:
      'The step is taken for these severities, on these days from `from` until `to`, by the clock of `timezone`. ' +
      'Where `to` is not later than `from` it is on the next day. A step whose condition is not met is left out, and ' +
      'the next one is taken at once.',
  })

const stepFields = {
  order: z.int().min(1).max(1_000).optional().meta({ description: 'By default its place in the list.' }),
  delay_minutes: z.int().min(1).max(mostMinutes).meta({
    description: 'After the beginning of the incident, or after the step before.',
  }),
  assignment: z.enum(assignments).default('all').meta({
    description: '`all` calls every target at once; `round_robin` one of them, the next one each time.',
  }),
  only_if: OnlyIf.nullable().default(null),
  targets: z.array(Target).min(1).max(limits.targets),
}

const NewStep = z.object(stepFields).meta({ id: 'NewEscalationStep' })
const StepChange = z
  .object({
    id: Id.optional().meta({ description: 'Of a step that stays; without it the step is a new one.' }),
    ...stepFields,
  })
  .meta({ id: 'EscalationStepChange' })
export type StepInput = z.output<typeof StepChange>

const orderOf = ({ order }: { order?: number | undefined }, index: number) => order ?? index + 1

/** Steps with the order that each has, in that order. `index`: the place in the list that was sent. */
export const ordered = (steps: readonly StepInput[]): (StepInput & { order: number; index: number })[] =>
  steps.map((step, index) => ({ ...step, order: orderOf(step, index), index })).toSorted((a, b) => a.order - b.order)

function validateOrders(steps: readonly { order?: number | undefined }[], context: z.RefinementCtx): void {
  const orders = steps.map(orderOf)
  for (const [index, order] of orders.entries())
    if (orders.indexOf(order) < index)
      context.addIssue({ code: 'custom', path: [index, 'order'], message: 'Is the order of another step.' })
}

const fields = {
  name: line(255),
  is_default: z.boolean().meta({
    description: 'For monitors without a policy of their own. A team has one default: another one is it no longer.',
  }),
  repeat_count: z.int().min(0).max(limits.repeats).meta({ description: 'How often the steps are repeated.' }),
  repeat_delay_minutes: z
    .int()
    .min(1)
    .max(mostMinutes)
    .meta({
      description:
        'After the last step: until the first one is taken again, or the first of the fallback policy, or the run is ' +
        'exhausted.',
    }),
  fallback_policy_id: Id.nullable().meta({ description: 'Goes on after the last repeat.' }),
}

export const NewPolicy = z
  .object({
    ...fields,
    is_default: fields.is_default.default(false),
    repeat_count: fields.repeat_count.default(0),
    repeat_delay_minutes: fields.repeat_delay_minutes.default(10),
    fallback_policy_id: fields.fallback_policy_id.default(null),
    steps: z.array(NewStep).min(1).max(limits.steps).superRefine(validateOrders),
  })
  .meta({ id: 'NewEscalationPolicy' })

export const PolicyChanges = z
  .object({ ...fields, steps: z.array(StepChange).min(1).max(limits.steps).superRefine(validateOrders) })
  .partial()
  .meta({ id: 'EscalationPolicyChanges' })
