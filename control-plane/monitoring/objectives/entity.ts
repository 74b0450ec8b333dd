import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'
import type { Objective } from './budget.ts'
import type { BudgetState } from './budget-state.ts'

/** The objectives of monitors by time, also of deleted ones. A trigger of `monitors` writes them. */
export const SloSpan = defineEntity({
  name: 'SloSpan',
  tableName: 'slo_spans',
  properties: {
    monitorId: p.uuid().primary(),
    since: timestamp().primary(),
    tenantId: p.uuid(),
    endedAt: timestamp().nullable(),
    slo: p.json<Objective>(),
  },
})

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
