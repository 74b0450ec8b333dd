import type { ClickHouseClient } from '@clickhouse/client'
import type { Pool } from 'pg'
import { dropReplacedParts } from '#analytics/erase-tenant.ts'
import type { Calendar } from '#control-plane/base/calendar.ts'
import { eraseResults, purgeTeam } from '#control-plane/reselling/managed-teams/purge.ts'
import { withHeartbeat } from '#workflows/heartbeat.ts'

interface TeamPurgeDeps {
  platform: Pool
  clickhouse: ClickHouseClient
  calendar: Calendar
}

export const teamPurgeActivities = ({ platform, clickhouse, calendar }: TeamPurgeDeps) => ({
  purgeTeam: (teamId: string, deletedAtMs: number) =>
    withHeartbeat(() => purgeTeam(platform, teamId, new Date(deletedAtMs), calendar)),
  eraseResults: (tenantId: string) => withHeartbeat(() => eraseResults(platform, clickhouse, tenantId)),
  dropErasedFiles: () => withHeartbeat(() => dropReplacedParts(clickhouse)),
})
export type TeamPurgeActivities = ReturnType<typeof teamPurgeActivities>
