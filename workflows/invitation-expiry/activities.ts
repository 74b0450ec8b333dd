import type { Pool } from 'pg'
import { expireInvitation } from '#control-plane/access/invitations/expire.ts'
import type { Calendar } from '#control-plane/base/calendar.ts'
import { withHeartbeat } from '#workflows/heartbeat.ts'

export const invitationExpiryActivities = ({ platform, calendar }: { platform: Pool; calendar: Calendar }) => ({
  expireInvitation: (invitationId: string, expiresAtMs: number) =>
    withHeartbeat(() => expireInvitation(platform, invitationId, new Date(expiresAtMs), calendar)),
})
export type InvitationExpiryActivities = ReturnType<typeof invitationExpiryActivities>
