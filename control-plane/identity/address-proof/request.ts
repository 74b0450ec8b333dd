import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { mostProofsAnHour, sendProof } from './send.ts'

export const requestVerification = endpoint({
  method: 'POST',
  path: '/profile/email/verify-request',
  operation: 'profile.requestVerification',
  summary: 'Request another link to verify your address',
  description:
    'For an account whose `email_verified_at` is null. The link works for seven days; the earlier one is void. ' +
    `At most ${mostProofsAnHour} an hour.`,
  access: 'session',
  rate: 'auth',
  detached: true,
  underImpersonation: 'refused',
  returns: ok({ message: z.string() }),

  async handle({ caller, tenant, services, now }) {
    const person = signedIn(caller)
    const isSent = await inTransaction(services.platform, async client => {
      const rowCount = await affected(client)`
        select 1 from users where id = ${person.id} and email_verified_at is null for update`
      if (rowCount === 0) throw invalid({ email: ['Is verified already.'] }, 'already_verified')
      return sendProof(client, services.config, { person, team: tenant, now })
    })
    if (!isSent)
      throw invalid(
        { email: [new Sentence('At most {n} links are sent an hour.', { n: mostProofsAnHour })] },
        'sent_too_often',
      )
    return { message: 'A link is on its way to your address.' }
  },
})
