import { z } from 'zod'
import { handoffs, weekdays } from '#control-plane/db/model/shapes.ts'
import type { Rotation } from './duty.ts'
import { momentOf } from './duty-view.ts'
import type { OverrideRow, RotationRow, ScheduleRow } from './rows.ts'

const time = z.string().meta({ format: 'date-time' })

const RotationView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    order: z.int(),
    users: z.array(z.uuid()),
    handoff: z.enum(handoffs).meta({ id: 'HandoffKind' }),
    shift_minutes: z.int().nullable(),
    first_handoff_at: z.string(),
    restrictions: z.array(
      z.object({ days: z.array(z.enum(weekdays).meta({ id: 'Weekday' })), from: z.string(), to: z.string() }),
    ),
    starts_at: time.nullable(),
    ends_at: time.nullable(),
  })
  .meta({ id: 'OnCallRotation' })

export const ScheduleView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    timezone: z.string(),
    rotations: z.array(RotationView),
    counts_from: time.nullable().meta({
      description: 'When the first change of a rotation that does not count yet begins to; null: all count.',
    }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'OnCallSchedule' })

export const viewRotation = ({ schedule_id, position, ...row }: RotationRow): z.input<typeof RotationView> => ({
  ...row,
  order: position,
  restrictions: row.restrictions.map(({ days, from, to }) => ({ days: [...days], from, to })),
})

/** `versions` are those of the rotations. */
export function viewSchedule(
  row: ScheduleRow,
  { rotations = [], versions = [], now }: Parts,
): z.input<typeof ScheduleView> {
  const ahead = versions.flatMap(rotation => rotation.versions.map(({ from }) => from)).filter(from => from > +now)
  return {
    ...row,
    rotations: rotations.map(viewRotation),
    counts_from: ahead.length > 0 ? momentOf(Math.min(...ahead)) : null,
  }
}

interface Parts {
  rotations?: readonly RotationRow[] | undefined
  versions?: readonly Rotation[] | undefined
  now: Date
}

export const OverrideView = z
  .object({
    id: z.uuid(),
    user_id: z.uuid(),
    replaces_user_id: z.uuid().nullable(),
    escalation_policy_id: z.uuid().nullable(),
    starts_at: time,
    ends_at: time,
    reason: z.string().nullable(),
    created_by: z.uuid().nullable(),
    created_at: time,
  })
  .meta({ id: 'OnCallOverride' })

export const viewOverride = ({ schedule_id, ...row }: OverrideRow): z.input<typeof OverrideView> => row
