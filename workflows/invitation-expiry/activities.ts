import type { Pool } from 'pg'
import type { Calendar } from '#control-plane/kernel/calendar.ts'
import { expireInvitation } from '#control-plane/people/invitations/expire.ts'
import { withHeartbeat } from '#workflows/heartbeat.ts'

export const invitationExpiryActivities = ({ platform, calendar }: { platform: Pool; calendar: Calendar }) => ({
  expireInvitation: (invitationId: string, expiresAtMs: number) =>
    withHeartbeat(() => expireInvitation(platform, invitationId, new Date(expiresAtMs), calendar)),
})
export type InvitationExpiryActivities = ReturnType<typeof invitationExpiryActivities>
