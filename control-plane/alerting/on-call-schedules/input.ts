import { z } from 'zod'
import { line } from '#contract/line.ts'
import { handoffs, weekdays } from '#control-plane/db/model/shapes.ts'
import { timezone } from '#control-plane/identity/users/input.ts'
import { localMs, localText } from './local-clock.ts'

export const limits = { schedules: 50, rotations: 10, users: 50, restrictions: 10, overrides: 100 }
const years = { first: '2000-01-01T00:00Z', last: '2100-01-01T00:00Z' }
const maxOverrideMs = 366 * 86_400_000

/** In lower case, as the database has it, so that ids can be compared. */
export const Id = z.uuid().toLowerCase()

/** An instant, within the years that schedules are made for. */
export const Instant = z.iso
  // aborted: checks of the whole then see dates alone
  .datetime({ offset: true, error: 'Must be an ISO 8601 time with its offset.', abort: true })
  .transform(text => new Date(text))
  .refine(
    date => date >= new Date(years.first) && date < new Date(years.last),
    'Must be in the years from 2000 to 2099.',
  )

const LocalTime = z
  .string()
  .regex(/^20\d\d-\d\d-\d\dT\d\d:\d\d(:00)?$/, 'Must be a local date and time such as 2026-01-05T09:00.')
  .transform(text => text.slice(0, 16))
  .refine(text => {
    const local = localMs(text)
    return !Number.isNaN(local) && localText(local) === text
  }, 'Is not a date and time.')
  .meta({ description: 'Local time in the zone of the schedule, in whole minutes.', examples: ['2026-01-05T09:00'] })

export const TimeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time from 00:00 to 23:59.')
  .meta({ examples: ['09:00'] })

export const isDistinct = (list: readonly unknown[]) => new Set(list).size === list.length

const RestrictionInput = z
  .object({
    days: z.array(z.enum(weekdays)).min(1).max(7).refine(isDistinct, 'Names a day twice.'),
    from: TimeOfDay,
    to: TimeOfDay,
  })
  .meta({
    id: 'OnCallRestriction',
    description:
      'Duty from `from` until `to`, in local time, on each of these days. ' +
      'Where `to` is not later than `from` it is on the next day.',
  })

const rotationFields = {
  name: line(255),
  order: z.int().min(1).max(1_000).optional().meta({
    description:
      'The rotation with the lowest order that has a person on duty decides. By default its place in the list.',
  }),
  users: z
    .array(Id)
    .min(1)
    .max(limits.users)
    .refine(isDistinct, 'Names a person twice.')
    .meta({ description: 'Members of the team in the order of their turns.' }),
  handoff: z.enum(handoffs).meta({
    description:
      '`daily` and `weekly` hand off at the local time of `first_handoff_at`; ' +
      '`custom` hands off by elapsed time, after `shift_minutes`.',
  }),
  shift_minutes: z.int().min(60).max(525_600).nullable().default(null),
  first_handoff_at: LocalTime,
  restrictions: z.array(RestrictionInput).max(limits.restrictions).default([]),
  starts_at: Instant.nullable().default(null),
  ends_at: Instant.nullable().default(null),
}

type RotationFields = z.output<z.ZodObject<typeof rotationFields>>

function validateRotation(
  { handoff, shift_minutes, starts_at, ends_at }: RotationFields,
  context: z.RefinementCtx,
): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (handoff === 'custom' && shift_minutes === null) refuse('shift_minutes', 'A custom hand-off needs this.')
  if (handoff !== 'custom' && shift_minutes !== null) refuse('shift_minutes', 'Only a custom hand-off has this.')
  if (starts_at && ends_at && ends_at <= starts_at) refuse('ends_at', 'Must be later than starts_at.')
}

const RotationInput = z.object(rotationFields).superRefine(validateRotation).meta({ id: 'NewOnCallRotation' })
const RotationChange = z
  .object({
    id: Id.optional().meta({ description: 'Of a rotation that stays; without it the rotation is a new one.' }),
    ...rotationFields,
  })
  .superRefine(validateRotation)
  .meta({ id: 'OnCallRotationChange' })
export type RotationInput = z.output<typeof RotationChange>

const orderOf = ({ order }: { order?: number | undefined }, index: number) => order ?? index + 1

/** Rotations with the order that each has. */
export const ordered = (rotations: readonly RotationInput[]): (RotationInput & { order: number })[] =>
  rotations
    .map((rotation, index) => ({ ...rotation, order: orderOf(rotation, index) }))
    .toSorted((a, b) => a.order - b.order)

function validateOrders(rotations: readonly { order?: number | undefined }[], context: z.RefinementCtx): void {
  const orders = rotations.map(orderOf)
  for (const [index, order] of orders.entries())
    if (orders.indexOf(order) < index)
      context.addIssue({ code: 'custom', path: [index, 'order'], message: 'Is the order of another rotation.' })
}

export const NewSchedule = z
  .object({
    name: line(255),
    timezone,
    rotations: z.array(RotationInput).max(limits.rotations).default([]).superRefine(validateOrders),
  })
  .meta({ id: 'NewOnCallSchedule' })
export const ScheduleChanges = z
  .object({
    name: line(255),
    timezone,
    rotations: z.array(RotationChange).max(limits.rotations).superRefine(validateOrders),
  })
  .partial()
  .meta({ id: 'OnCallScheduleChanges' })

interface Window {
  starts_at: Date
  ends_at: Date
}

function validateWindow({ starts_at, ends_at }: Window, context: z.RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['ends_at'], message })
  if (ends_at <= starts_at) refuse('Must be later than starts_at.')
  else if (ends_at.getTime() - starts_at.getTime() > maxOverrideMs) refuse('Must be at most 366 days after starts_at.')
}

const Reason = line(255).nullable().default(null)

export const NewOverride = z
  .object({
    user_id: Id.meta({ description: 'The person who takes over.' }),
    replaces_user_id: Id.nullable().default(null).meta({
      description: 'Only the duty of this person is taken over. null: all duty of the time, and gaps.',
    }),
    escalation_policy_id: Id.nullable().default(null).meta({
      description: 'Counts only where this policy calls the schedule. null: always.',
    }),
    starts_at: Instant,
    ends_at: Instant,
    reason: Reason,
  })
  .superRefine(validateWindow)
  .superRefine(({ user_id, replaces_user_id }, context) => {
    if (user_id === replaces_user_id)
      context.addIssue({ code: 'custom', path: ['replaces_user_id'], message: 'Must be another person.' })
  })
  .meta({ id: 'NewOnCallOverride' })
export type NewOverride = z.output<typeof NewOverride>

const SwapSide = z
  .object({
    user_id: Id.meta({ description: 'The person whose duty in this time the other one takes over.' }),
    starts_at: Instant,
    ends_at: Instant,
  })
  .superRefine(validateWindow)
  .meta({ id: 'OnCallSwapSide' })

export const NewSwap = z
  .object({ first: SwapSide, second: SwapSide, reason: Reason })
  .superRefine(({ first, second }, context) => {
    if (first.user_id === second.user_id)
      context.addIssue({ code: 'custom', path: ['second', 'user_id'], message: 'Must be another person.' })
    if (first.starts_at < second.ends_at && second.starts_at < first.ends_at)
      context.addIssue({ code: 'custom', path: ['second', 'starts_at'], message: 'The two times must not overlap.' })
  })
  .meta({ id: 'NewOnCallSwap' })
