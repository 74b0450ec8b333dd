import { workflowId } from '#contract/workflows.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'

/** Starts the workflow that expires an invitation. Its id holds the same moment as the row. */
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
