import { z } from 'zod'

/** A service level objective as it is sent and shown. */
export const Slo = z
  .object({
    target_pct: z
      .number()
      .min(50)
      .max(99.999)
      .multipleOf(0.001)
      .meta({ description: 'The uptime to reach, in percent, in steps of a thousandth.' }),
    window_days: z.int().min(7).max(90).default(30).meta({ description: 'The length of the rolling window.' }),
  })
  .meta({ id: 'Slo', description: 'A service level objective: the uptime to reach over a rolling window.' })
