import type { Caller } from '#control-plane/base/caller.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type { Services } from '#control-plane/http/services.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import type { Traces } from '#control-plane/outbox/audit.ts'
import type { SignInAnswer } from './answers.ts'
import { personOfPasskey } from './recognise.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'

/** Whether the answer of a browser, which it uses up, proves this person. */
export const passesPasskey = async (
  services: Pick<Services, 'platform'>,
  userId: string,
  answer: SignInAnswer,
  party: RelyingParty,
  traces: Traces,
): Promise<boolean> => (await personOfPasskey(services, answer, party, traces)) === userId

/** Verifies a passkey of the caller, at a page of the host that was asked; a 422 otherwise. */
export async function confirmPasskey(
  services: Services,
  caller: Caller,
  answer: SignInAnswer,
  { host, ...traces }: Traces & { host: string },
): Promise<void> {
  const { id } = signedIn(caller)
  if (await passesPasskey(services, id, answer, relyingPartyOf(services, host), traces)) return
  throw invalid({ passkey: ['Is not a passkey of yours, or was used: begin again.'] }, 'wrong_passkey')
}
