import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** What a process of the control plane last said of itself. */
export const ProcessReportRow = defineEntity({
  name: 'ProcessReportRow',
  tableName: 'process_reports',
  properties: {
    id: p.uuid().primary(),
    startedAt: timestamp(),
    reportedAt: timestamp().defaultRaw('clock_timestamp()'),
    report: p.json(),
  },
})
