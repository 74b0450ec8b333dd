import { workflowId } from '#contract/workflows.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'

/** The end of an invitation is noted by a durable process, named by the very moment the row holds. */
export function startExpiry(
  { start, tenant }: Pick<RequestContext, 'start' | 'tenant'>,
  invitationId: string,
  expiresAt: Date,
): void {
  const expiresAtMs = expiresAt.getTime()
  start('invitationExpiry', workflowId.invitationExpiry(invitationId, expiresAtMs), {
    invitationId,
    tenantId: tenant.id,
    expiresAtMs,
  })
}
