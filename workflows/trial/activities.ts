import type { Pool } from 'pg'
import type { Calendar } from '#control-plane/base/calendar.ts'
import { advanceTrial } from '#control-plane/reselling/managed-teams/trial.ts'
import { withHeartbeat } from '#workflows/heartbeat.ts'

export const trialActivities = ({ platform, calendar }: { platform: Pool; calendar: Calendar }) => ({
  advanceTrial: (teamId: string, endsAtMs: number) =>
    withHeartbeat(() => advanceTrial(platform, teamId, new Date(endsAtMs), calendar)),
})
export type TrialActivities = ReturnType<typeof trialActivities>
