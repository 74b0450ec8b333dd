import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead, WindowSchedule } from './input.ts'
import { nextOccurrences } from './rule.ts'

const mostDates = 5
const time = z.string().meta({ format: 'date-time' })

export const previewMaintenanceWindow = endpoint({
  method: 'POST',
  path: '/maintenance-windows/preview',
  summary: 'Preview the next dates of a maintenance window',
  description:
    `The occurrence that is next or has begun, and those after it: at most ${mostDates}, as the service would start ` +
    'them. Nothing is stored.',
  access: mayRead,
  detached: true,
  body: WindowSchedule,
  returns: ok({
    data: z
      .object({
        occurrences: z.array(z.object({ starts_at: time, ends_at: time }).meta({ id: 'MaintenanceOccurrence' })),
      })
      .meta({ id: 'MaintenancePreview' }),
  }),

  async handle(context) {
    const { occurrences } = await nextOccurrences(context, context.body, { over: null, count: mostDates })
    return {
      data: {
        occurrences: occurrences.map(({ startsAt, endsAt }) => ({
          starts_at: stamp(startsAt),
          ends_at: stamp(endsAt),
        })),
      },
    }
  },
})
