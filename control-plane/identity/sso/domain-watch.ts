import type { Logger } from 'pino'
import { checkDue, type WatchedDomains, watchDue } from '#control-plane/base/domain-watch.ts'
import { type CheckDeps, type CheckedDomain, checkDomain, checkedColumns } from './domain-check.ts'

type Dependencies = CheckDeps & { log: Pick<Logger, 'warn' | 'error'> }

const ssoDomains: WatchedDomains<CheckDeps, CheckedDomain> = {
  table: 'sso_domains',
  kind: 'sso_domain',
  columns: checkedColumns,
  check: checkDomain,
}

/** Checks the e-mail domains of teams that are due. */
export const checkDueSsoDomains = (dependencies: Dependencies) => checkDue(ssoDomains, dependencies)

/** Checks the e-mail domains of teams when they are due. Any number of processes may do so. */
export const watchSsoDomains = (dependencies: Dependencies) => watchDue(ssoDomains, dependencies)
