import type { Logger } from 'pino'
import { checkDue, type WatchedDomains, watchDue } from '#control-plane/base/domain-watch.ts'
import { type CheckDeps, type CheckedDomain, checkDomain, checkedColumns } from './check.ts'

type Dependencies = CheckDeps & { log: Pick<Logger, 'warn' | 'error'> }

const customDomains: WatchedDomains<CheckDeps, CheckedDomain> = {
  table: 'custom_domains',
  kind: 'custom_domain',
  columns: checkedColumns,
  check: checkDomain,
}

/** Checks the custom domains that are due. */
export const checkDueDomains = (dependencies: Dependencies) => checkDue(customDomains, dependencies)

/** Checks custom domains when they are due. Any number of processes may do so. */
export const watchDomains = (dependencies: Dependencies) => watchDue(customDomains, dependencies)
