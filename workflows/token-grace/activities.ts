import type { Pool } from 'pg'
import { endGrace } from '#control-plane/access/tokens/end-grace.ts'
import type { Calendar } from '#control-plane/base/calendar.ts'
import { withHeartbeat } from '#workflows/heartbeat.ts'

export const tokenGraceActivities = ({ platform, calendar }: { platform: Pool; calendar: Calendar }) => ({
  endGrace: (tokenId: string, expiresAtMs: number) =>
    withHeartbeat(() => endGrace(platform, tokenId, new Date(expiresAtMs), calendar)),
})
export type TokenGraceActivities = ReturnType<typeof tokenGraceActivities>
