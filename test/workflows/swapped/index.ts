import { proxyActivities } from '@temporalio/workflow'
import { untilDone } from '#workflows/until-done.ts'

type Acts = Record<string, (...args: unknown[]) => Promise<string>>
const acts = proxyActivities<Acts>({ startToCloseTimeout: '20 seconds' })

/** The negative control of the replay: workflows with a change that breaks running ones. */
export const teamPurge = async ({
  teamId,
  tenantId,
  deletedAtMs,
}: {
  teamId: string
  tenantId: string
  deletedAtMs: number
}) => {
  await acts.eraseResults!(tenantId)
  return untilDone(() => acts.purgeTeam!(teamId, deletedAtMs))
}
export const trial = ({ teamId, endsAtMs }: { teamId: string; endsAtMs: number }) =>
  untilDone(() => acts.endTrial!(teamId, endsAtMs))
export const snoozeEnd = ({ checkId, untilMs }: { checkId: string; untilMs: number }) =>
  acts.endSnooze!(checkId, untilMs)
export const tokenGrace = ({ tokenId, expiresAtMs }: { tokenId: string; expiresAtMs: number }) =>
  untilDone(async () => {
    await acts.endGrace!(tokenId, expiresAtMs)
    return acts.endGrace!(tokenId, expiresAtMs)
  })
export const invitationExpiry = async () => 'expired'
export const billing = async () => 'done'
export const deliveryRetry = async () => 'delivered'
export const migration = async () => 'done'
