import { z } from 'zod'
import { type Db, rows } from '#control-plane/db/queries.ts'

/** The version of the formula in `uptimePct`. */
export const uptimeFormula = 3

export const FormulaVersion = z.int().meta({
  description:
    'Of the formula by which the beginning of the window was judged: 3, the state of the monitor; 2 where the window ' +
    'begins before the update to 3, when the first check of a monitor counted alone. What was judged then stays.',
})

/** The version of the formula by which the time from a moment on was judged. */
export async function formulaOf(db: Db, from: Date | number): Promise<number> {
  const [row] = await rows(db)<{ version: number }>`select uptime_formula(${new Date(from)}) as version`
  return row?.version ?? uptimeFormula
}
