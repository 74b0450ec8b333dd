import { z } from 'zod'
import { report } from '#checks/report.ts'
import { ssl } from './kind.ts'
import { defaultDays } from './ladder.ts'

export const certificate = report(ssl, {
  statistic: 'certificate',
  summary: 'Read the certificate each region sees',
  description: 'With the time at which it was renewed.',
  latest: ssl.seen.extend({
    usual_warn_days: z
      .array(z.number())
      .meta({ description: 'Days before its end at which a check warns that sets no `warn_days`.' }),
  }),
  view: seen => ({ ...seen, usual_warn_days: defaultDays(new Date(seen.valid_from), new Date(seen.valid_to)) }),
})
