import type { Services } from '#control-plane/http/services.ts'
import type { Traces } from '#control-plane/outbox/audit.ts'
import type { SignInAnswer } from './answers.ts'
import { personOfPasskey } from './recognise.ts'
import type { RelyingParty } from './relying-party.ts'

/** Whether the answer of a browser, which it uses up, proves this person: beside a password, or at a step-up. */
export const passesPasskey = async (
  services: Pick<Services, 'platform'>,
  userId: string,
  answer: SignInAnswer,
  party: RelyingParty,
  traces: Traces,
): Promise<boolean> => (await personOfPasskey(services, answer, party, traces)) === userId
