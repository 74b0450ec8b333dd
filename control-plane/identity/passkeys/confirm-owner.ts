import { z } from 'zod'
import type { Caller } from '#control-plane/base/caller.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type { Services } from '#control-plane/http/services.ts'
import { confirmIdentity } from '#control-plane/identity/mfa/confirm-identity.ts'

const description = 'Needed outside the session of a browser, which is confirmed by POST /auth/step-up instead.'

export const ownerFields = {
  password: z.string().min(1).max(1_000).optional().meta({ description }),
  otp_code: z.string().min(1).max(20).optional().meta({ description: 'The code of a second factor, if there is one.' }),
}

/** Makes sure that the caller is the person: a session may be stolen. That of a browser is fresh (`requireFresh`). */
export async function confirmOwner(
  services: Pick<Services, 'platform' | 'config' | 'log'>,
  caller: Caller,
  { password, otp_code }: { password?: string | undefined; otp_code?: string | undefined },
  now: Date,
): Promise<void> {
  if (caller.isByCookie) return
  if (password === undefined) throw invalid({ password: ['Is needed.'] })
  await confirmIdentity(services, caller, { password, otp_code }, now)
}
