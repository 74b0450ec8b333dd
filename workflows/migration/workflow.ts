import { proxyActivities } from '@temporalio/workflow'
import type { Workflows } from '#contract/workflows.ts'
import { untilDone } from '#workflows/until-done.ts'
import type { MigrationActivities } from './activities.ts'

const { advanceMigration } = proxyActivities<MigrationActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { maximumInterval: '1 minute' },
})

/** Carries a migration from another provider over its days. The row decides what is due. */
export const migration: Workflows['migration'] = ({ migrationId }) => untilDone(() => advanceMigration(migrationId))
