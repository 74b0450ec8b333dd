import { z } from 'zod'

/** The fields of an objective with its error budget. */
export const budgetFields = {
  target_pct: z.number(),
  window_days: z.int(),
  uptime_pct: z.number().nullable(),
  budget_s: z.number().meta({ description: 'The seconds of the window that may be down.' }),
  used_s: z.number(),
  left_s: z.number().meta({ description: 'Never below zero.' }),
  left_pct: z.number(),
}

/** An objective with its error budget at the end of a period. */
export const Budget = z.object(budgetFields).meta({ id: 'SloBudget' })
