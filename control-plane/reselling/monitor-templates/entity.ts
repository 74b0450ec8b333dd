import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'
import type { ClosedMonitor, Variable } from './input.ts'

/** Sets of monitors that a reseller provisions teams with. */
export const MonitorTemplate = defineEntity({
  name: 'MonitorTemplate',
  tableName: 'monitor_templates',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    monitors: p.json<ClosedMonitor[]>(),
    variables: p.json<Variable[]>(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})
