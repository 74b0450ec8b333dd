import { auditFilters } from './filters.ts'
import { listAuditEntries } from './list.ts'

export const auditLog = [listAuditEntries, auditFilters]
