import { listQuarantined } from './list.ts'
import { retryQuarantinedRow } from './retry.ts'

export const quarantine = [listQuarantined, retryQuarantinedRow]
