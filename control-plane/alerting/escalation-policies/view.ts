import { z } from 'zod'
import { severities } from '#contract/check.ts'
import { assignments, positions } from '#control-plane/db/model/escalation.ts'
import { weekdays } from '#control-plane/db/model/shapes.ts'
import { targetTypes } from './input.ts'
import type { PolicyRow, StepRow, TargetRow } from './rows.ts'

const time = z.string().meta({ format: 'date-time' })

const StepView = z
  .object({
    id: z.uuid(),
    order: z.int(),
    delay_minutes: z.int(),
    assignment: z.enum(assignments).meta({ id: 'EscalationAssignment' }),
    only_if: z
      .object({
        severity: z.array(z.enum(severities)).nullable(),
        days: z.array(z.enum(weekdays)).nullable(),
        from: z.string().nullable(),
        to: z.string().nullable(),
        timezone: z.string().nullable(),
      })
      .nullable(),
    targets: z
      .array(
        z.object({
          type: z.enum(targetTypes).meta({ id: 'EscalationTargetType' }),
          id: z.uuid().nullable(),
          position: z
            .enum(positions)
            .meta({ id: 'EscalationPosition' })
            .nullable()
            .meta({ description: 'null, where it is no schedule.' }),
        }),
      )
      .meta({ description: 'A person who left the team is none of them any more.' }),
  })
  .meta({ id: 'EscalationStep' })

export const PolicyView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    is_default: z.boolean(),
    repeat_count: z.int(),
    repeat_delay_minutes: z.int(),
    fallback_policy_id: z.uuid().nullable(),
    steps: z.array(StepView),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'EscalationPolicy' })

const viewTarget = ({ user_id, schedule_id, channel_id, duty }: TargetRow) =>
  user_id !== null
    ? { type: 'user' as const, id: user_id, position: null }
    : schedule_id !== null
      ? { type: 'schedule' as const, id: schedule_id, position: duty ?? ('current' as const) }
      : channel_id !== null
        ? { type: 'channel' as const, id: channel_id, position: null }
        : { type: 'team' as const, id: null, position: null }

export const viewStep = ({ id, position, delay_minutes, assignment, only_if, targets }: StepRow) => ({
  id,
  order: position,
  delay_minutes,
  assignment,
  only_if: only_if && {
    severity: only_if.severity && [...only_if.severity],
    days: only_if.days && [...only_if.days],
    from: only_if.from,
    to: only_if.to,
    timezone: only_if.timezone,
  },
  targets: targets.map(viewTarget),
})

export const viewPolicy = (row: PolicyRow, steps: readonly StepRow[] = []): z.input<typeof PolicyView> => ({
  ...row,
  steps: steps.map(viewStep),
})
