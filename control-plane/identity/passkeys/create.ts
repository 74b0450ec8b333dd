import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { line } from '#contract/line.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import type { Services } from '#control-plane/http/services.ts'
import { deviceOf } from '#control-plane/identity/sessions/device.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { notify } from '#control-plane/identity/users/notify.ts'
import { RegistrationAnswer } from './answers.ts'
import { takeChallenge } from './challenges.ts'
import { challengeIn } from './client-data.ts'
import { lockPasskeys, refuseMorePasskeys } from './limit.ts'
import { type NewCredential, readRegistration } from './read.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { findPasskey, PasskeyView } from './view.ts'

export const passkeyName = line(100)

export const createPasskey = endpoint({
  method: 'POST',
  path: '/profile/passkeys',
  operation: 'profile.passkeys.create',
  summary: 'Create a passkey of what the browser answered',
  description:
    'Begins with POST /profile/passkeys/options. A passkey signs in without a password and without a code: its ' +
    'device verifies the person. It is valid at the host of the page that made it. At most 20 a person.',
  access: 'session',
  allowsMissingFactor: true,
  rate: 'auth',
  underImpersonation: 'refused',
  needsFreshSession: true,
  body: z.object({
    name: passkeyName.optional().meta({ description: 'By default browser and system.' }),
    credential: RegistrationAnswer,
  }),
  returns: created({ data: PasskeyView }),

  async handle(context) {
    const { body, caller, em, services, userAgent, host, audit } = context
    const user = signedIn(caller)
    const party = relyingPartyOf(services, host)
    const credential = await readNew(services, user.id, body.credential, party)
    await lockPasskeys(em, user.id)
    await refuseMorePasskeys(em, user.id)
    const id = randomUUID()
    const { numInsertedOrUpdatedRows: stored } = await queries(em)
      .insertInto('passkeys')
      .values({
        id,
        user_id: user.id,
        rp_id: party.id,
        credential_id: credential.credentialId,
        public_key: credential.publicKey,
        counter: String(credential.counter),
        is_backup_eligible: credential.isBackupEligible,
        is_backed_up: credential.isBackedUp,
        transports: body.credential.response.transports,
        aaguid: credential.aaguid,
        name: body.name ?? deviceOf(userAgent, 'Passkey').slice(0, 100),
      })
      .onConflict(conflict => conflict.columns(['rp_id', 'credential_id']).doNothing())
      .executeTakeFirstOrThrow()
    if (stored === 0n) throw invalid({ credential: ['Is registered already.'] }, 'taken')
    notify(context, 'security_passkey_added', user)
    audit('passkey.added', { type: 'user', id: user.id }, { passkey_id: id })
    return { data: await findPasskey(em, user.id, id) }
  },
})

/** The credential of an answer whose challenge was made for this person, or a 422. */
async function readNew(
  { platform }: Pick<Services, 'platform'>,
  userId: string,
  answer: RegistrationAnswer,
  party: RelyingParty,
): Promise<NewCredential> {
  const challenge = challengeIn(answer.response.clientDataJSON)
  const isOpen =
    challenge !== null && (await takeChallenge(platform, challenge, { purpose: 'register', userId }, party.id))
  const credential = isOpen && (await readRegistration(answer, challenge, party))
  if (!credential)
    throw invalid({ credential: ['Does not hold: begin again with POST /profile/passkeys/options.'] }, 'wrong_passkey')
  return credential
}
