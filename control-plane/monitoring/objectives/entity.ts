import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'
import type { BudgetState } from './budget-state.ts'

/** How the error budget of a monitor was when it was examined last. */
export const SloState = defineEntity({
  name: 'SloState',
  tableName: 'slo_states',
  properties: {
    monitorId: p.uuid().primary(),
    tenantId: p.uuid(),
    state: p.string().$type<BudgetState | 'unknown'>().length(10).default('unknown'),
    examineAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
