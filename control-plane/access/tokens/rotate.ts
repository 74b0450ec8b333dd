import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { createToken, makerOf } from './create.ts'
import { refuseLongerLived } from './pass-on.ts'
import type { TokenRow } from './row.ts'

export const RotatedFrom = z.object({
  id: z.uuid(),
  expires_at: z.string().meta({ format: 'date-time' }),
  grace_period_hours: z.int(),
})

export interface Rotated {
  id: string
  plain: string
  rotatedFrom: z.input<typeof RotatedFrom>
}

type RotationContext = Pick<RequestContext, 'em' | 'now' | 'start' | 'caller' | 'tenant'>

/**
 * Creates a new token in place of an old one, which works until its grace period or its own end.
 * Each token is replaced once: of two concurrent rotations the row's lock lets the first win.
 */
export async function rotateToken(
  { em, now, start, caller, tenant }: RotationContext,
  locked: TokenRow,
  graceHours: number,
): Promise<Rotated> {
  const ownEnd = locked.expires_at === null ? null : new Date(locked.expires_at)
  if (locked.rotated_at)
    throw invalid(
      { token: ['This token has been rotated already: rotate the one that replaced it.'] },
      'already_rotated',
    )
  if (!locked.is_active) throw invalid({ token: ['This token is disabled: enable it first.'] }, 'token_disabled')
  if (ownEnd && ownEnd <= now) throw invalid({ token: ['This token has expired.'] }, 'token_expired')
  refuseLongerLived(caller, ownEnd)

  const graceEnd = new Date(now.getTime() + graceHours * 3_600_000)
  const end = ownEnd && ownEnd < graceEnd ? ownEnd : graceEnd
  const at = now.toISOString()
  await queries(em)
    .updateTable('tokens')
    .set({ rotated_at: at, expires_at: end.toISOString(), updated_at: at })
    .where('id', '=', locked.id)
    .execute()
  const { id, plain } = await createToken(
    em,
    {
      kind: locked.kind,
      tenantId: tenant.id,
      userId: locked.user_id && (caller.user?.id ?? locked.user_id),
      name: locked.name,
      scopes: locked.scopes,
      allowedIps: locked.allowed_ips,
      expiresAt: ownEnd,
      createdBy: makerOf(caller),
      rotatedFrom: locked.id,
    },
    now,
  )
  start('tokenGrace', `token-grace:${locked.id}:${end.getTime()}`, {
    tokenId: locked.id,
    tenantId: tenant.id,
    expiresAtMs: end.getTime(),
  })
  return { id, plain, rotatedFrom: { id: locked.id, expires_at: stamp(end), grace_period_hours: graceHours } }
}
