import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** Which quota notices were sent, and when. */
export const QuotaNotice = defineEntity({
  name: 'QuotaNotice',
  tableName: 'quota_notices',
  properties: {
    tenantId: p.uuid().primary(),
    event: p.string().length(40).primary(),
    feature: p.string().length(40).primary(),
    notifiedAt: timestamp(),
  },
})
