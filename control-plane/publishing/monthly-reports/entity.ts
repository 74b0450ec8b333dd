import { defineEntity, p } from '@mikro-orm/core'

/** Which monthly report was mailed to whom. */
export const MonthlyReportMail = defineEntity({
  name: 'MonthlyReportMail',
  tableName: 'monthly_report_mails',
  properties: {
    tenantId: p.uuid().primary(),
    userId: p.uuid().primary(),
    month: p.string().columnType('char(7)').primary(),
  },
})
