import type { Advanced } from '#control-plane/importing/advance.ts'
import { withHeartbeat } from '#workflows/heartbeat.ts'

/** Does what is due of a migration. */
export type AdvanceMigration = (migrationId: string) => Promise<Advanced>

export const migrationActivities = ({ advanceMigration }: { advanceMigration: AdvanceMigration }) => ({
  advanceMigration: (migrationId: string) => withHeartbeat(() => advanceMigration(migrationId)),
})
export type MigrationActivities = ReturnType<typeof migrationActivities>
