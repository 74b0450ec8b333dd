import { z } from 'zod'
import { describedAs, referringTo } from '#control-plane/http/described-as.ts'
import { readBy } from '#control-plane/http/unknown-fields.ts'
import { MonitorChanges, NewMonitor } from './input.ts'

const maxBulk = 1_000
/** A thousand monitors with their checks; more than any other body, less than an import. */
export const bulkBytes = 1_048_576

export const BulkChange = MonitorChanges.extend({ id: z.uuid().toLowerCase() }).meta({
  id: 'BulkMonitorChange',
  unusedIO: 'input',
})

/** Each monitor is read by the handler, so that one answer names the reasons of all of them. */
const bulkOf = (entry: z.ZodUnknown, schema: z.ZodType) =>
  z.object({
    monitors: z
      .array(readBy(entry, () => schema))
      .min(1)
      .max(maxBulk),
  })
export const BulkNew = bulkOf(referringTo(z.unknown(), 'NewMonitor'), NewMonitor)
export const BulkChanges = bulkOf(describedAs(z.unknown(), BulkChange), BulkChange)
