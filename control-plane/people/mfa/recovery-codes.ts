import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { ok } from '#control-plane/kernel/reply.ts'
import { signedIn } from '#control-plane/people/sessions/signed-in.ts'
import { confirmOwner, Owner } from './confirm-owner.ts'
import { mintRecoveryCodes } from './secret.ts'

export const storeRecoveryCodes = (em: EntityManager, userId: string, hashes: readonly Buffer[]) =>
  em.execute(`update second_factors set recovery_hashes = array(select decode(h, 'hex') from jsonb_array_elements_text(?::jsonb) h) where user_id = ?`, [
    JSON.stringify(hashes.map(hash => hash.toString('hex'))),
    userId,
  ])

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/profile/mfa/recovery-codes',
  summary: 'Receive new recovery codes in place of the earlier ones',
  access: 'session',
  rate: 'auth',
  underImpersonation: 'refused',
  body: Owner,
  returns: ok({ data: z.object({ recovery_codes: z.array(z.string()) }) }),

  async handle(facts) {
    const user = signedIn(facts.caller)
    await confirmOwner(facts, user)
    const { codes, hashes } = mintRecoveryCodes()
    await storeRecoveryCodes(facts.em, user.id, hashes)
    facts.audit('mfa.recovery_codes_renewed', { type: 'user', id: user.id })
    return { data: { recovery_codes: codes } }
  },
})
